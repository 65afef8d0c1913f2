public import Countersign
internal import Foundation

/// The reason why a flow ended, with its step.
public enum OnboardingError: AuthenticationError, SAPError {
    /// A step failed. The previous steps are stored, and the next run continues there.
    case stepFailed(step: String, error: any Error)
    /// The flow was cancelled during a step.
    case cancelled(step: String)
    /// The store could not read or write the progress.
    case notStored(step: String?, error: any Error)
    /// There is nothing to restore, since no onboarding is complete.
    case notOnboarded

    public static var authenticationMethod: String { "onboarding" }
    public var code: String {
        switch self {
        case .stepFailed: "stepFailed"
        case .cancelled: "cancelled"
        case .notStored: "notStored"
        case .notOnboarded: "notOnboarded"
        }
    }
    /// The step at which the flow ended.
    public var step: String? {
        switch self {
        case .stepFailed(let step, _), .cancelled(let step): step
        case .notStored(let step, _): step
        case .notOnboarded: nil
        }
    }
    public var errorDescription: String? {
        switch self {
        case .cancelled: "The onboarding was cancelled."
        case .notOnboarded: "The application is not onboarded."
        case .stepFailed, .notStored: "The onboarding was not completed."
        }
    }
    public var failureReason: String? {
        switch self {
        case .stepFailed(let step, let error): "\(step) failed: \(Self.text(of: error))"
        case .cancelled(let step): "It was at \(step)."
        case .notStored(let step, let error): "\(step.map { "After \($0), the" } ?? "The") store failed: \(Self.text(of: error))"
        case .notOnboarded: "No onboarding has been completed with this store."
        }
    }
    public var recoverySuggestion: String? {
        switch self {
        case .stepFailed, .notStored: "Run the flow again: it continues where it ended."
        case .cancelled, .notOnboarded: "Onboard the application."
        }
    }
    public var helpAnchor: String? { nil }

    /// Returns an error in words. Errors that contain no secrets are quoted; of others only the type is named.
    private static func text(of error: any Error) -> String {
        switch error {
        case let error as any SecretFreeError: error.description
        case let error as URLError:
            // A session's error contains the transport's error, which is more precise.
            (error.userInfo[NSUnderlyingErrorKey] as? any SecretFreeError)?.description ?? "URLError \(error.code.rawValue)."
        default: "\(type(of: error))."
        }
    }
}
