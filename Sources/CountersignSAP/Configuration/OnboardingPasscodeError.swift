public import Countersign

/// Why a passcode cannot be exchanged for tokens any more.
public enum OnboardingPasscodeError: AuthenticationError, SAPError, Hashable {
    /// Its time is over.
    case expired
    /// It was taken out before.
    case alreadyUsed

    public static var authenticationMethod: String { "onboarding" }
    public var code: String {
        switch self {
        case .expired: "expired"
        case .alreadyUsed: "alreadyUsed"
        }
    }
    public var errorDescription: String? { "The passcode cannot be used." }
    public var failureReason: String? {
        switch self {
        case .expired: "More time has passed since it was scanned than the server allows."
        case .alreadyUsed: "It can be used once only, and was."
        }
    }
    public var recoverySuggestion: String? { "Open the page with the QR code anew, and scan it again." }
    public var helpAnchor: String? { nil }
}
