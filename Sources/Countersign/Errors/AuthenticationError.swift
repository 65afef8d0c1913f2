#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What every generated error type conforms to: a text of what happened, why, and what to do next.
public protocol AuthenticationError: SecretFreeError, LocalizedError, CustomDebugStringConvertible, Sendable {
    /// The method in its spec, such as `SAML`.
    static var authenticationMethod: String { get }
    /// The case's name, fit for a metric's label.
    var code: String { get }
}

extension AuthenticationError {
    public var description: String {
        let reason = failureReason.map { " \($0)" } ?? ""
        return "\(errorDescription ?? code)\(reason) [\(Self.authenticationMethod).\(code)]"
    }
    public var debugDescription: String { description }
}
