import ArgumentParser
import Countersign
import Foundation
import SAPMobileServices
import TestTurns
import Testing

@testable import CountersignCLI

/// The texts of errors, and their remedies.
@Suite(.takesTurns) struct OnboardFailureTests {
    private struct Secret: Error { let text = "c4n4ry" }

    @Test func `a store without a key says that a key file can be given, also from within a flow`() {
        let error = CredentialStoreError(.keyUnavailable, detail: "the Secret Service did not answer")
        let failure = OnboardFailure(OnboardingError.notStored(step: nil, error: error))
        #expect(failure.text.contains("The store failed: "))
        #expect(failure.text.contains("the Secret Service did not answer"))
        #expect(failure.remedy?.contains("--key-file") == true)
        #expect(failure.remedy?.contains("openssl rand") == true)
        let wrong = OnboardFailure(OnboardingError.notStored(step: "A", error: CredentialStoreError(.wrongKey, detail: "no")))
        #expect(wrong.text.hasPrefix("The store failed after A: "))
        #expect(wrong.remedy?.contains("--reset") == true)
    }

    @Test func `the cause's remedy and status come before the flow's`() {
        let expired = OnboardFailure(OnboardingError.stepFailed(step: "Step", error: OnboardingPasscodeError.expired))
        #expect(expired.text.hasPrefix("Step failed: The passcode cannot be used."))
        #expect(expired.remedy == OnboardingPasscodeError.expired.recoverySuggestion)
        let missing = ConfigurationError.missingKey("host", source: "a.json")
        let step = OnboardFailure(OnboardingError.stepFailed(step: "Step", error: missing))
        #expect(step.exit == CommandExit.badData)
        #expect(step.remedy == "Add 'host' to a.json.")
        let nested = OnboardingError.stepFailed(step: "Outer", error: OnboardingError.stepFailed(step: "Inner", error: missing))
        #expect(OnboardFailure(nested).text.hasPrefix("Outer failed: Inner failed: "))
        let transport = OnboardFailure(TransportError(.connect, detail: "refused", requestMayHaveBeenProcessed: false))
        let wrapped = URLError(
            .cannotConnectToHost,
            userInfo: [NSUnderlyingErrorKey: TransportError(.connect, detail: "refused", requestMayHaveBeenProcessed: false)])
        #expect(OnboardFailure(wrapped).text == transport.text)
        #expect(OnboardFailure(URLError(.timedOut)).remedy == transport.remedy)
        #expect(transport.remedy == "Check the address and the network, then try again.")
    }

    @Test func `the exit status is the documented one of the cause, also within a flow`() {
        func status(of error: any Error) -> ExitCode {
            let inFlow = OnboardFailure(OnboardingError.stepFailed(step: "Step", error: error)).exit
            #expect(inFlow == OnboardFailure(error).exit)
            return inFlow
        }
        let unreachable = TransportError(.connect, detail: "refused", requestMayHaveBeenProcessed: false)
        #expect(status(of: unreachable) == CommandExit.unavailable)
        let wrapped = URLError(.cannotConnectToHost, userInfo: [NSUnderlyingErrorKey: unreachable])
        #expect(status(of: wrapped) == CommandExit.unavailable)
        #expect(status(of: URLError(.cannotFindHost)) == CommandExit.unavailable)
        #expect(status(of: OnboardingStepError.validationRefused(status: 403)) == CommandExit.refused)
        #expect(status(of: OnboardingStepError.validationRefused(status: 503)) == CommandExit.failed)
        #expect(status(of: OnboardingStepError.answerTooLarge(limit: 1)) == CommandExit.failed)
        #expect(status(of: CountersignError(.timedOut, detail: "no")) == CommandExit.temporary)
        #expect(status(of: CredentialStoreError(.wrongKey, detail: "no")) == CommandExit.storeFailed)
        #expect(status(of: Secret()) == CommandExit.failed)
    }

    @Test func `what is not known is named and not quoted, and the flow's remedy stands for it`() {
        let error = OnboardingError.stepFailed(step: "Step", error: Secret())
        let failure = OnboardFailure(error)
        #expect(failure.text == "Step failed: Secret")
        #expect(failure.remedy == error.recoverySuggestion)
        #expect(OnboardFailure(Secret()).remedy == nil)
    }

    @Test func `a remedy is a line of its own, and nothing that a terminal obeys is shown`() {
        let recorded = RecordedConsole()
        OnboardFailure(CommandProblem("a\u{1B}[2J\u{202E}b\n", remedy: "Do it.")).show(on: recorded.console)
        #expect(recorded.messages == "error: a\\u{1B}[2J\\u{202E}b\\u{A}\nhelp: Do it.\n")
        #expect(VisibleText.escaped("Grüße, 世界") == "Grüße, 世界")
    }
}
