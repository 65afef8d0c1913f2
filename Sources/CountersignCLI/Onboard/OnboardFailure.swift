import ArgumentParser
import Countersign
import Foundation
import SAPMobileServices

/// The failure that the command ends with: its description, a remedy, and the exit status.
///
/// For an error of a flow, it describes the error that the flow's error wraps.
struct OnboardFailure {
    /// The description. It can contain text of a server, so ``show(on:)`` escapes it.
    private(set) var text: String
    /// The remedy; `nil` if none is known.
    private(set) var remedy: String?
    /// The server's own words; `nil` if it has said none.
    private(set) var words: ServerWords?
    let exit: ExitCode

    init(_ error: any Error) {
        switch error {
        case OnboardingError.stepFailed(let step, let cause): self = Self(cause).placed("\(step) failed: ", outer: error)
        case OnboardingError.notStored(let step, let cause):
            self = Self(cause).placed("The store failed\(step.map { " after \($0)" } ?? ""): ", outer: error)
        case let error as CommandProblem: self.init(error.description, error.remedy, error.exit)
        case let error as ConfigurationLoadingError: self = Self.ofLoading(error)
        case let error as ConfigurationError: self.init(error.description, error.recoverySuggestion, CommandExit.badData)
        case let error as CredentialStoreError: self.init(error.description, Self.remedy(for: error), CommandExit.storeFailed)
        case let error as any SecretFreeError:
            self.init(error.description, (error as? any LocalizedError)?.recoverySuggestion, Self.exit(of: error))
        case let error as URLError: self = Self.ofNetwork(error)
        // The description of another error may contain a secret, so only the type is shown.
        default: self.init("\(type(of: error))", nil, CommandExit.failed)
        }
        // The words of a wrapped error are those of the failure that it has been made from.
        words = words ?? ServerWords(of: error)
    }

    private init(_ text: String, _ remedy: String?, _ exit: ExitCode) {
        self.text = text
        self.remedy = remedy
        self.exit = exit
    }

    /// Writes the description, the server's words and the remedy, each on one line.
    func show(on console: Console) { console.report(problem: text, help: remedy, said: words) }

    /// The failure for JSON.
    var report: FailureReport.Failure { FailureReport.Failure(text, help: remedy, said: words, exit: exit) }

    /// Returns the failure with the place where it happened. The remedy for the cause has precedence over the remedy for the
    /// flow.
    private func placed(_ place: String, outer: any Error) -> OnboardFailure {
        var failure = self
        failure.text = place + text
        failure.remedy = remedy ?? (outer as? OnboardingError)?.recoverySuggestion
        return failure
    }

    /// Returns the failure for a loading error. The error of a single provider is not shown as a list.
    private static func ofLoading(_ error: ConfigurationLoadingError) -> OnboardFailure {
        if error.failures.count == 1, let cause = error.failures.first?.error as? ConfigurationError { return Self(cause) }
        return Self(error.description, error.recoverySuggestion, CommandExit.badData)
    }

    /// Returns the failure for a network error. A session wraps the error of the transport, which is more precise.
    private static func ofNetwork(_ error: URLError) -> OnboardFailure {
        if let cause = error.userInfo[NSUnderlyingErrorKey] as? TransportError { return Self(cause) }
        return Self(
            "The server was not reached (URLError \(error.code.rawValue)).", "Check the address and the network, then try again.",
            CommandExit.unavailable)
    }

    /// Returns the exit status for a failure. Most failures of the flow's own steps are no refused logins.
    private static func exit(of error: any SecretFreeError) -> ExitCode {
        switch error {
        case OnboardingStepError.validationRefused(let status, _) where [401, 403].contains(status): CommandExit.refused
        case is OnboardingStepError: CommandExit.failed
        default: ClientFailure(error).exit
        }
    }

    private static func remedy(for error: CredentialStoreError) -> String? {
        switch error.code {
        case .keyUnavailable:
            """
            Unlock the Secret Service or the Keychain that stores the key. Without a Secret Service, create a file with a key of \
            32 random bytes: (umask 077; openssl rand -base64 32 > FILE), then add '--key-file FILE'.
            """
        case .wrongKey, .corrupt, .storeDamaged, .foreign, .unsupportedFormat:
            "\(error.recoverySuggestion ?? "") '--reset' clears the store.".trimmingCharacters(in: .whitespaces)
        default: error.recoverySuggestion
        }
    }
}
