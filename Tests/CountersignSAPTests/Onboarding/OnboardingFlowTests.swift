import CountersignSAP
import Foundation
import Synchronization
import Testing

/// Flows with steps that record their calls.
@Suite(.timeLimit(.minutes(10))) struct OnboardingFlowTests {
    private final class Journal: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    private struct Failure: Error { var secret = "c4n4ry" }

    private final class Step: OnboardingStep {
        let stepName: String
        private let journal: Journal
        private let error: Mutex<(any Error)?>

        init(_ name: String, _ journal: Journal, failing error: (any Error)? = nil) {
            stepName = name
            self.journal = journal
            self.error = Mutex(error)
        }

        func onboard(context: OnboardingContext) async throws -> OnboardingContext {
            journal.add("onboard \(stepName)")
            if let error = error.withLock({ $0.take() }) { throw error }
            var context = context
            context.info[OnboardingInfoKey(rawValue: stepName)] = true
            return context
        }

        func restore(context: OnboardingContext) async throws -> OnboardingContext {
            journal.add("restore \(stepName)")
            return context
        }

        func reset(context: OnboardingContext) async { journal.add("reset \(stepName)") }
    }

    private let store = CredentialCodableStore(MemoryCredentialStore())
    private let journal = Journal()
    private var context: OnboardingContext { OnboardingContext(credentialStore: store) }

    private func step(_ name: String, failing error: (any Error)? = nil) -> Step { Step(name, journal, failing: error) }

    @Test func `steps run in order, those within composite steps too, and hand on what they found`() async throws {
        let told = Mutex<[OnboardingProgress]>([])
        let steps: [any OnboardingStep] = [step("a"), CompositeStep(steps: [step("b"), CompositeStep(steps: [step("c")])])]
        let context = try await OnboardingFlow(steps: steps, context: context) { progress in told.withLock { $0.append(progress) } }
            .run()
        #expect(journal.take() == ["onboard a", "onboard b", "onboard c"])
        #expect(Set(context.info.keys.map(\.rawValue)) == ["a", "b", "c"])
        let progress = told.withLock { $0 }
        #expect(progress.map { "\($0.number)/\($0.count) \($0.step) \($0.phase)" }.first == "1/3 a onboarding")
        #expect(progress.map(\.phase) == [.onboarding, .done, .onboarding, .done, .onboarding, .done])
    }

    @Test func `a flow that goes on takes the configuration that has come in since, and asks nobody`() async throws {
        let managed = Mutex(["host": "first.example"])
        func run(failing error: (any Error)? = nil) async throws -> OnboardingContext {
            let steps: [any OnboardingStep] = [
                WelcomeScreenStep(
                    transformer: DiscoveryServiceConfigurationTransformer(),
                    providers: [ManagedConfigurationProvider { managed.withLock { $0 } }]),
                step("login", failing: error),
            ]
            return try await OnboardingFlow(steps: steps, context: context).run()
        }
        await #expect(throws: OnboardingError.self) { try await run(failing: Failure()) }
        managed.withLock { $0 = ["host": "second.example"] }
        await #expect(throws: OnboardingError.self) { try await run(failing: Failure()) }
        managed.withLock { $0 = [:] }
        #expect(try await run().backendURL().host() == "second.example", "the one that is kept")
        managed.withLock { $0 = ["host": "third.example"] }
        #expect(try await run().backendURL().host() == "second.example", "the flow has come to its end")
        #expect(journal.take() == ["onboard login", "onboard login", "onboard login", "restore login"])
    }

    @Test func `a flow goes on behind the last step that was done, with the same identifier`() async throws {
        let steps: [any OnboardingStep] = [step("a"), CompositeStep(steps: [step("b"), step("c", failing: Failure())])]
        let first = context
        let error = await #expect(throws: OnboardingError.self) { try await OnboardingFlow(steps: steps, context: first).run() }
        #expect(error?.code == "stepFailed" && error?.step == "c")
        #expect(journal.take() == ["onboard a", "onboard b", "onboard c"])
        let resumed = try await OnboardingFlow(steps: steps, context: context).run()
        #expect(journal.take() == ["restore a", "restore b", "onboard c"])
        #expect(resumed.onboardingID == first.onboardingID)
        _ = try await OnboardingFlow(steps: steps, context: context).run()
        #expect(journal.take() == ["restore a", "restore b", "restore c"])
    }

    @Test func `other steps than before are done where they begin to differ`() async throws {
        _ = try await OnboardingFlow(steps: [step("a"), step("b")], context: context).run()
        _ = journal.take()
        _ = try await OnboardingFlow(steps: [step("a"), step("new"), step("b")], context: context).run()
        #expect(journal.take() == ["restore a", "onboard new", "onboard b"])
    }

    @Test func `only an onboarding that came to its end can be restored`() async throws {
        let steps: [any OnboardingStep] = [step("a"), step("b", failing: Failure())]
        let restoring = RestoringFlow(steps: [step("x"), step("a")], context: context)
        #expect(try !restoring.isOnboarded())
        await #expect(throws: OnboardingError.self) { try await OnboardingFlow(steps: steps, context: context).run() }
        let error = await #expect(throws: OnboardingError.self) { try await restoring.run() }
        #expect(error?.code == "notOnboarded")
        _ = try await OnboardingFlow(steps: steps, context: context).run()
        _ = journal.take()
        #expect(try restoring.isOnboarded())
        _ = try await restoring.run()
        #expect(journal.take() == ["restore x", "restore a"])
    }

    @Test func `resetting takes back the last step first, and the next run begins anew`() async throws {
        let flow = OnboardingFlow(steps: [step("a"), CompositeStep(steps: [step("b"), step("c")])], context: context)
        _ = try await flow.run()
        _ = journal.take()
        await flow.reset()
        #expect(journal.take() == ["reset c", "reset b", "reset a"])
        _ = try await flow.run()
        #expect(journal.take() == ["onboard a", "onboard b", "onboard c"])
    }

    @Test func `cancelling names the step, and a foreign error is named and not quoted`() async throws {
        let cancelled = OnboardingFlow(steps: [step("a", failing: CancellationError())], context: context)
        let error = await #expect(throws: OnboardingError.self) { try await cancelled.run() }
        #expect(error?.code == "cancelled" && error?.step == "a")
        let failing = OnboardingFlow(steps: [step("b", failing: Failure())], context: context)
        let failure = await #expect(throws: OnboardingError.self) { try await failing.run() }
        #expect(failure?.description.contains("b failed: Failure.") == true)
        #expect(failure?.description.contains("c4n4ry") == false)
        let known = OnboardingFlow(
            steps: [step("d", failing: OnboardingStepError.validationRefused(status: 403))], context: context)
        let refused = await #expect(throws: OnboardingError.self) { try await known.run() }
        #expect(refused?.description.contains("status 403") == true)
    }

    @Test func `RT-30 a context shows no value`() throws {
        var context = context
        context.info[OnboardingInfoKey(rawValue: "key")] = "c4n4ry"
        context.passcode = OnboardingPasscode("c4n4ry")
        #expect(!everything(of: context).contains("c4n4ry"))
        #expect("\(context)".contains("key"))
    }
}
