#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The protocol of all generated error types, with description, failure reason and recovery suggestion.
public protocol AuthenticationError: SecretFreeError, LocalizedError, CustomDebugStringConvertible, Sendable {
    /// The method in its spec, such as `SAML`.
    static var authenticationMethod: String { get }
    /// The case's name, usable as a metric label.
    var code: String { get }
}

extension AuthenticationError {
    public var description: String {
        let reason = failureReason.map { " \($0)" } ?? ""
        return "\(errorDescription ?? code)\(reason) [\(Self.authenticationMethod).\(code)]"
    }
    public var debugDescription: String { description }
}

/// An error whose description contains no secret: no token, no password, no page content, and at most the origin of a URL.
///
/// Other errors may contain such values, so errors and log lines of this package only name their type. An error that conforms to
/// this protocol is quoted. Conform an error of your own presenter, store or discovery to it if its whole description may be shown.
public protocol SecretFreeError: Error, CustomStringConvertible {}
