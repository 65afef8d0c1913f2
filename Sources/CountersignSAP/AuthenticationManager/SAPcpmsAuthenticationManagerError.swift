public import Countersign
internal import Foundation

/// What an authentication manager can refuse a login with.
public enum SAPcpmsAuthenticationManagerError: Error, Sendable, Hashable {
    /// Another user has logged in than the one before; both by their identifiers.
    case userSwitch(from: String, to: String)
}

extension SAPcpmsAuthenticationManagerError: AuthenticationError, SAPError {
    public static var authenticationMethod: String { "authentication manager" }
    public var code: String {
        switch self {
        case .userSwitch: "userSwitch"
        }
    }
    public var helpAnchor: String? { nil }
    /// What happened; who the users are stays with the case.
    public var description: String { "Another user has logged in than the one before [userSwitch]" }
    public var debugDescription: String { description }
    public var errorDescription: String? { description }
    public var failureReason: String? { "The new credentials belong to a different user than those before." }
    public var recoverySuggestion: String? {
        "Log in as the user before, or log out first; a delegate can accept the other user."
    }
}
