public import Countersign

/// Why a step cannot do what it is for.
public enum OnboardingStepError: AuthenticationError, SAPError, Hashable {
    /// No step before has found a configuration, or none is stored.
    case noConfiguration
    /// No provider has a configuration, and there is no screen to ask for one.
    case noScreen
    /// The server did not accept the request that was to prove the authentication.
    case validationRefused(status: Int)
    /// The answer is larger than such an answer may be.
    case answerTooLarge

    public static var authenticationMethod: String { "onboarding" }
    public var code: String {
        switch self {
        case .noConfiguration: "noConfiguration"
        case .noScreen: "noScreen"
        case .validationRefused: "validationRefused"
        case .answerTooLarge: "answerTooLarge"
        }
    }
    public var errorDescription: String? { "The step cannot be done." }
    public var failureReason: String? {
        switch self {
        case .noConfiguration: "It is not known which server the application belongs to."
        case .noScreen: "No configuration was found, and there is nobody to ask for one."
        case .validationRefused(let status): "The server answered the first request with status \(status)."
        case .answerTooLarge: "The server's answer is larger than expected."
        }
    }
    public var recoverySuggestion: String? {
        switch self {
        case .noConfiguration: "Put a step that finds the configuration before this one, or onboard again."
        case .noScreen: "Add a configuration file, or give the context screens."
        case .validationRefused: "Check that the account may use the application, and that the address is the right one."
        case .answerTooLarge: "Check the address."
        }
    }
    public var helpAnchor: String? { nil }
}
