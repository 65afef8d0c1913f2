import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

/// M36: each error of a SAML login, as an application receives it.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct SAMLErrorTests {
    @Test(arguments: Case.allCases) func `M36 every case is reached, and says what happened, where and what to do`(
        _ expected: Case
    ) async throws { try await expected.expectToBeReached() }

    enum Case: ReachableCase {
        case webView, invalidArgument, authenticationInProgress, credentialsRejected, backgroundAuthentication, cancelled
        case webViewReloaded

        init(of error: SAMLError) {
            switch error {
            case .webView: self = .webView
            case .invalidArgument: self = .invalidArgument
            case .authenticationInProgress: self = .authenticationInProgress
            case .credentialsRejected: self = .credentialsRejected
            case .backgroundAuthentication: self = .backgroundAuthentication
            case .cancelled: self = .cancelled
            case .webViewReloaded: self = .webViewReloaded
            }
        }

        func reach() async throws -> Ending {
            switch self {
            case .webView:
                try await requesting { bench in
                    bench.mock.inject(.status(500), matching: "/SAMLAuthLauncher")
                    return bench.end(try await bench.request(), challengedWith: 200, naming: "SAML", bench.origin, "500")
                }
            case .invalidArgument:
                try await ErrorBench.run("SAML") { bench in
                    let url = try #require(URL(string: "http://login.example/SAMLAuthLauncher?password=c4n4ry"))
                    let parameters = SAMLAuthenticationParameters(authorizationEndpointURL: url, finishEndpointURL: url)
                    let error = await ErrorBench.error {
                        try await SAMLAuthenticator(authenticationParameters: parameters).authenticate(session: bench.session)
                    }
                    return bench.end(error, naming: "SAML", "http://login.example")
                }
            case .authenticationInProgress:
                try await busy()
            case .credentialsRejected:
                try await requesting { bench in
                    bench.mock.inject(.challenge, matching: "/orders", times: .max)
                    return bench.end(try await bench.request(), challengedWith: 200, naming: "SAML")
                }
            case .backgroundAuthentication: try await failing(.background)
            case .cancelled: try await failing(.dismissed)
            case .webViewReloaded: try await failing(.reloaded)
            }
        }

        private func requesting(
            presenter: any WebPresenter = ErrorBench.person, _ scenario: (ErrorBench) async throws -> Ending
        ) async throws -> Ending {
            try await ErrorBench.run("SAML", presenter: { _ in presenter }) { bench in
                bench.session.register(SAMLObserver(settingsParameters: bench.settings))
                return try await scenario(bench)
            }
        }

        private func failing(_ failure: PresentationFailure) async throws -> Ending {
            try await requesting(presenter: FailingPresenter(failure: failure)) { bench in
                bench.end(try await bench.request(), challengedWith: 200, naming: "SAML")
            }
        }

        private func busy() async throws -> Ending {
            let presenter = WaitingPresenter()
            return try await ErrorBench.run("SAML", presenter: { _ in presenter }) { bench in
                let authenticator = SAMLAuthenticator(settingsParameters: bench.settings)
                async let first = ErrorBench.error { try await authenticator.authenticate(session: bench.session) }
                await presenter.shown()
                let error = await ErrorBench.error { try await authenticator.authenticate(session: bench.session) }
                authenticator.cancelAuthentication()
                guard case .cancelled? = await first as? SAMLError else {
                    Issue.record("the first was not cancelled")
                    return bench.end(nil)
                }
                return bench.end(error, naming: "SAML")
            }
        }
    }
}
