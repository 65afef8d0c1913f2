public import Countersign
public import Foundation

/// The protocol of all error enumerations of the SDK.
public protocol SAPError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible {}

extension SAPError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}

// Uses the texts of the error tables, which the defaults above would hide.
extension SAPError where Self: DescribedError {
    public var errorDescription: String? { texts.description }
    public var failureReason: String? { texts.reason }
    public var recoverySuggestion: String? { texts.recovery }
    public var helpAnchor: String? { nil }
}

extension ConfigurationError: SAPError {}

extension OAuth2ServerError: SAPError {}
