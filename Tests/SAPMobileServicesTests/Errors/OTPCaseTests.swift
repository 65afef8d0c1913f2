import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

/// M36: each error of a login by passcode, as an application receives it.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct OTPCaseTests {
    @Test(arguments: Case.allCases) func `M36 every case is reached, and says what happened, where and what to do`(
        _ expected: Case
    ) async throws { try await expected.expectToBeReached() }

    enum Case: ReachableCase {
        case webView, authenticationInProgress, credentialsRejected, backgroundAuthentication, cancelled

        init(of error: OTPError) {
            switch error {
            case .webView: self = .webView
            case .authenticationInProgress: self = .authenticationInProgress
            case .credentialsRejected: self = .credentialsRejected
            case .backgroundAuthentication: self = .backgroundAuthentication
            case .cancelled: self = .cancelled
            }
        }

        func reach() async throws -> Ending {
            switch self {
            case .webView:
                try await requesting { bench in
                    bench.mock.inject(.status(500), matching: "/mobileservices/OTPForm")
                    return bench.end(try await bench.request(), challengedWith: 200, naming: "OTP", bench.origin, "500")
                }
            case .authenticationInProgress: try await busy()
            case .credentialsRejected: try await rejected()
            case .backgroundAuthentication: try await failing(.background)
            case .cancelled: try await failing(.dismissed)
            }
        }

        private func requesting(
            _ person: TwoFactorPresenter.Person = .types, _ scenario: (ErrorBench) async throws -> Ending
        ) async throws -> Ending {
            try await ErrorBench.run(
                "SAML", presenter: { TwoFactorPresenter(person, app: $0.authenticatorApp(for: "alice")) },
                options: { $0.passcodes.resources = .prefix("/orders") }
            ) { bench in
                bench.session.register(SAMLObserver(settingsParameters: bench.settings))
                bench.session.register(OTPObserver(authenticator: authenticator(for: bench)))
                return try await scenario(bench)
            }
        }

        private func failing(_ failure: PresentationFailure) async throws -> Ending {
            try await requesting(.fails(failure)) { bench in
                bench.end(try await bench.request(), challengedWith: 200, naming: "OTP")
            }
        }

        private func rejected() async throws -> Ending {
            let mock = Weakly()
            return try await requesting(.typesAndThen { mock.value?.endPasscodeSessions() }) { bench in
                mock.value = bench.mock
                return bench.end(try await bench.request(), challengedWith: 200, naming: "OTP")
            }
        }

        /// Makes an authenticator with a URL scheme that no other test uses.
        private func authenticator(for bench: ErrorBench) -> OTPAuthenticator {
            let authenticator = OTPAuthenticator(settingsParameters: bench.settings)
            authenticator.callbackScheme = "com.example.errors\(bench.mock.baseURL.port ?? 0).xcallbackurl"
            return authenticator
        }

        private func busy() async throws -> Ending {
            let presenter = WaitingPresenter()
            return try await ErrorBench.run("SAML", presenter: { _ in presenter }) { bench in
                let authenticator = authenticator(for: bench)
                async let first = ErrorBench.error { try await authenticator.authenticate(session: bench.session) }
                await presenter.shown()
                let error = await ErrorBench.error { try await authenticator.authenticate(session: bench.session) }
                authenticator.cancelAuthentication()
                guard case .cancelled? = await first as? OTPError else {
                    Issue.record("the first was not cancelled")
                    return bench.end(nil)
                }
                return bench.end(error, naming: "OTP")
            }
        }
    }
}
