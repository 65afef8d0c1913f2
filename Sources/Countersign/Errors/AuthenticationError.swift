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

/// An error whose description holds no secret: no token, no password, no page, and of a URL the origin at most.
///
/// Errors of others can hold such things. So the errors and log lines that tell of them only name their type, except for those that conform
/// to this protocol, which are quoted. Conform an error of your own presenter, store or discovery to it if all that it says may be seen.
public protocol SecretFreeError: Error, CustomStringConvertible {}
