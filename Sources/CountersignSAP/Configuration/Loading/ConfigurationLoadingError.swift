public import Countersign
internal import Foundation

/// No provider returned a configuration. The error contains the reason for each of them.
public struct ConfigurationLoadingError: SecretFreeError, SAPError {
    /// The failure of a provider.
    public struct Failure: Sendable {
        /// The provider's identifier.
        public let providerIdentifier: String
        /// The provider's error; `nil` if it returned none.
        public let error: (any Error)?

        /// The error in words. Of an error of the application's own provider only the type is named, since its text may contain
        /// secrets.
        fileprivate var text: String {
            switch error {
            case nil: "it gave neither a configuration nor an error."
            case let error as ConfigurationError: error.failureReason ?? error.description
            case let error?: "\(type(of: error))."
            }
        }
    }

    /// The failures, in the order of the providers.
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
