public import Countersign
internal import Foundation

/// No provider gave a configuration: why, for each that was asked.
public struct ConfigurationLoadingError: SecretFreeError, SAPError {
    /// What one provider could not do.
    public struct Failure: Sendable {
        /// The provider's identifier.
        public let providerIdentifier: String
        /// Its error; `nil` if it gave none.
        public let error: (any Error)?

        /// The error in words. What an application's own provider throws is named, not quoted: it may hold what it has read.
        fileprivate var text: String {
            switch error {
            case nil: "it gave neither a configuration nor an error."
            case let error as ConfigurationError: error.failureReason ?? error.description
            case let error?: "\(type(of: error))."
            }
        }
    }

    /// One for each provider, in the order in which they were asked.
    public let failures: [Failure]

    public var description: String {
        guard !failures.isEmpty else { return "No configuration was found: there is no provider." }
        let reasons = failures.map { "\($0.providerIdentifier): \($0.text)" }
        return "No configuration was found. " + reasons.joined(separator: " ")
    }
    public var debugDescription: String { description }
    public var errorDescription: String? { "No configuration was found." }
    public var failureReason: String? {
        guard !failures.isEmpty else { return "There is no provider." }
        return failures.map { "\($0.providerIdentifier): \($0.text)" }.joined(separator: " ")
    }
    public var recoverySuggestion: String? { "Scan the QR code or open the link again, or add a configuration file." }
}
