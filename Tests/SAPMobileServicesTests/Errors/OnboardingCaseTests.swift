import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// M36: each error of an onboarding, as an application receives it.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct OnboardingCaseTests {
    @Test(arguments: Flow.allCases) func `M36 every case of a flow is reached`(_ expected: Flow) async throws {
        try await expected.expectToBeReached()
    }

    @Test(arguments: Step.allCases) func `M36 every case of a step is reached`(_ expected: Step) async throws {
        try await expected.expectToBeReached()
    }

    @Test(arguments: Passcode.allCases) func `M36 every case of a passcode is reached`(_ expected: Passcode) async throws {
        try await expected.expectToBeReached()
    }

    /// A store that contains no value, and fails to store one.
    private final class FullStore: CodableStoring {
        struct Full: LocalizedError { var errorDescription: String? { "c4n4ry" } }
        func get<T: Codable>(_ type: T.Type, for key: String) throws -> T? { nil }
        func put<T: Codable>(_ value: T, for key: String) throws { throw Full() }
        func remove(for key: String) {}
        func keys() -> Set<String> { [] }
    }

    /// Makes a context with the configuration of the mock.
    private static func context(
        of bench: ErrorBench, store: any CodableStoring = CredentialCodableStore(MemoryCredentialStore()),
        passcodeLifetime: Duration = .seconds(30)
    ) throws -> OnboardingContext {
        let scanned = try #require(bench.mock.makeCrossContextConfiguration())
        let loader = ConfigurationLoader(providers: [JSONConfigurationProvider()], passcodeLifetime: passcodeLifetime)
        let loaded = try loader.loadConfiguration(userInputs: ["JSONstring": String(decoding: scanned, as: UTF8.self)])
        var context = OnboardingContext(sapURLSession: bench.session, credentialStore: store)
        context.info = try DiscoveryServiceConfigurationTransformer(applicationID: "com.example.app").transform(
            loaded.configuration)
        context.passcode = loaded.passcode
        return context
    }

    enum Flow: ReachableCase {
        case stepFailed, cancelled, notStored, notOnboarded

        init(of error: OnboardingError) {
            switch error {
            case .stepFailed: self = .stepFailed
            case .cancelled: self = .cancelled
            case .notStored: self = .notStored
            case .notOnboarded: self = .notOnboarded
            }
        }

        func reach() async throws -> Ending {
            switch self {
            case .stepFailed:
                try await ErrorBench.run("OAuth2", presenter: { _ in FailingPresenter(failure: .dismissed) }) { bench in
                    let error = await onboard(try withoutPasscode(bench))
                    return bench.end(error, naming: "OAuth2AuthenticationStep", "OAuth2.cancelled")
                }
            case .cancelled: try await cancelled()
            case .notStored:
                try await ErrorBench.run("OAuth2") { bench in
                    var context = try withoutPasscode(bench)
                    context.credentialStore = FullStore()
                    let error = await ErrorBench.error {
                        _ = try await OnboardingFlow(steps: [SAPcpmsSessionConfigurationStep()], context: context).run()
                    }
                    return bench.end(error, naming: "store failed", "Full")
                }
            case .notOnboarded:
                try await ErrorBench.run("OAuth2") { bench in
                    let context = try withoutPasscode(bench)
                    return bench.end(
                        await ErrorBench.error {
                            _ = try await RestoringFlow(steps: [OAuth2AuthenticationStep()], context: context).run()
                        })
                }
            }
        }

        private func withoutPasscode(_ bench: ErrorBench) throws -> OnboardingContext {
            var context = try OnboardingCaseTests.context(of: bench)
            context.passcode = nil
            return context
        }

        private func onboard(_ context: OnboardingContext) async -> (any Error)? {
            await ErrorBench.error {
                _ = try await OnboardingFlow(steps: [OAuth2AuthenticationStep()], context: context).run()
            }
        }

        private func cancelled() async throws -> Ending {
            let presenter = WaitingPresenter()
            return try await ErrorBench.run("OAuth2", presenter: { _ in presenter }) { bench in
                let context = try withoutPasscode(bench)
                let flow = Task { await onboard(context) }
                await presenter.shown()
                flow.cancel()
                return bench.end(await flow.value, naming: "OAuth2AuthenticationStep")
            }
        }
    }

    enum Step: ReachableCase {
        case noConfiguration, validationRefused, answerTooLarge, originsNotConfirmed

        init(of error: OnboardingStepError) {
            switch error {
            case .noConfiguration: self = .noConfiguration
            case .validationRefused: self = .validationRefused
            case .answerTooLarge: self = .answerTooLarge
            case .originsNotConfirmed: self = .originsNotConfirmed
            }
        }

        func reach() async throws -> Ending {
            switch self {
            case .noConfiguration:
                try await ErrorBench.run("OAuth2") { bench in
                    let context = OnboardingContext(
                        sapURLSession: bench.session, credentialStore: CredentialCodableStore(MemoryCredentialStore()))
                    return bench.end(
                        await ErrorBench.error { _ = try await OAuth2AuthenticationStep().onboard(context: context) })
                }
            case .validationRefused:
                try await ErrorBench.run("OAuth2") { bench in
                    bench.mock.inject(.status(403), matching: "/", times: .max)
                    var context = try OnboardingCaseTests.context(of: bench)
                    context.passcode = nil
                    return bench.end(
                        await ErrorBench.error { _ = try await OAuth2AuthenticationStep().onboard(context: context) },
                        naming: bench.origin, "403")
                }
            case .answerTooLarge:
                try await ErrorBench.run("OAuth2") { bench in
                    let context = try await OAuth2AuthenticationStep().onboard(context: OnboardingCaseTests.context(of: bench))
                    bench.mock.inject(.body(String(repeating: "c4n4ry", count: 200_000)), matching: .prefix("/mobileservices"))
                    return bench.end(
                        await ErrorBench.error { _ = try await SAPcpmsSettingsDownloadStep().onboard(context: context) },
                        naming: bench.origin)
                }
            case .originsNotConfirmed:
                try await ErrorBench.run("OAuth2") { bench in
                    let server = try #require(URLComponents(url: bench.mock.baseURL, resolvingAgainstBaseURL: true))
                    let managed: [String: Any] = [
                        "host": server.host ?? "", "port": server.port ?? 0, "protocol": "http", "oauth2.passcode": "c4n4ry",
                        "oauth2.tokenEndpoint": "https://login.example/token?c4n4ry",
                    ]
                    let data = try JSONSerialization.data(withJSONObject: managed)
                    let step = WelcomeScreenStep(
                        transformer: DiscoveryServiceConfigurationTransformer(),
                        providers: [
                            ManagedConfigurationProvider {
                                (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
                            }
                        ])
                    let context = OnboardingContext(
                        sapURLSession: bench.session, credentialStore: CredentialCodableStore(MemoryCredentialStore()))
                    return bench.end(
                        await ErrorBench.error { _ = try await step.onboard(context: context) }, naming: bench.origin,
                        "https://login.example", "oauth2.tokenEndpoint")
                }
            }
        }
    }

    enum Passcode: ReachableCase {
        case expired, alreadyUsed

        init(of error: OnboardingPasscodeError) {
            switch error {
            case .expired: self = .expired
            case .alreadyUsed: self = .alreadyUsed
            }
        }

        func reach() async throws -> Ending {
            try await ErrorBench.run("OAuth2") { bench in
                // A lifetime of zero, so that the passcode has expired right after the scan.
                let lifetime = self == .expired ? Duration.zero : .seconds(3_600)
                let context = try OnboardingCaseTests.context(of: bench, passcodeLifetime: lifetime)
                switch self {
                case .expired: break
                case .alreadyUsed: _ = try await OAuth2AuthenticationStep().onboard(context: context)
                }
                return bench.end(
                    await ErrorBench.error { _ = try await OAuth2AuthenticationStep().onboard(context: context) })
            }
        }
    }
}
