public import Countersign
internal import Foundation

/// An authentication manager's reason for rejecting a login.
public enum SAPcpmsAuthenticationManagerError: Error, Sendable, Hashable {
    /// A different user has logged in. The associated values are the identifiers of both users.
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
    /// The description, without the users' identifiers.
    public var description: String { "A different user has logged in than before [userSwitch]" }
    public var debugDescription: String { description }
    public var errorDescription: String? { description }
    public var failureReason: String? { "The new credentials belong to a different user than the previous ones." }
    public var recoverySuggestion: String? {
        "Log in as the previous user, or log out first; a delegate can accept the other user."
    }
}
