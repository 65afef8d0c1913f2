public import Countersign

/// The reason why a step fails.
public enum OnboardingStepError: AuthenticationError, SAPError, Hashable {
    /// No previous step has found a configuration, or none is stored.
    case noConfiguration
    /// The server did not accept the request that validates the authentication, or returned no settings.
    case validationRefused(status: Int, origin: Origin? = nil)
    /// The response exceeds the size limit in bytes.
    case answerTooLarge(limit: Int, origin: Origin? = nil)
    /// The configuration sends credentials to origins other than its server's that were not confirmed. Nothing was sent or stored.
    case originsNotConfirmed([CredentialOrigin], server: Origin?, source: String)

    public static var authenticationMethod: String { "onboarding" }
    public var code: String {
        switch self {
        case .noConfiguration: "noConfiguration"
        case .validationRefused: "validationRefused"
        case .answerTooLarge: "answerTooLarge"
        case .originsNotConfirmed: "originsNotConfirmed"
        }
    }
    public var errorDescription: String? { "The step failed." }
    public var failureReason: String? {
        switch self {
        case .noConfiguration: "It is not known which server the application belongs to."
        case .validationRefused(let status, let origin):
            "\(Self.server(origin)) answered the request with status \(status)."
        case .answerTooLarge(let limit, let origin): "\(Self.server(origin)) answered with more than \(limit) bytes."
        case .originsNotConfirmed(let origins, let server, let source):
            """
            The configuration from \(source) is for \(server.map { "\($0)" } ?? "an unknown server"), and sends credentials to \
            \(origins.map(\.description).joined(separator: " and ")), which was not confirmed.
            """
        }
    }
    public var recoverySuggestion: String? {
        switch self {
        case .noConfiguration: "Put a step that finds the configuration before this one, or onboard again."
        case .validationRefused: "Check that the account may use the application, and that the address is the right one."
        case .answerTooLarge: "Check that the address of the settings is the right one."
        case .originsNotConfirmed:
            "Check where the configuration comes from. If its origins are right, confirm them, or have the application trust them."
        }
    }
    public var helpAnchor: String? { nil }

    private static func server(_ origin: Origin?) -> String { origin.map { "The server at \($0)" } ?? "The server" }
}
