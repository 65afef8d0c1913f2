import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

/// M36: each error of OAuth 2.0, as an application receives it.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct OAuth2CaseTests {
    @Test(arguments: Case.allCases) func `M36 every case is reached, and says what happened, where and what to do`(
        _ expected: Case
    ) async throws { try await expected.expectToBeReached() }

    enum Case: ReachableCase {
        case server, webView, invalidArgument, http, missingHTTPResponse, parse, authenticationInProgress, authorizationCode
        case tokenRejected, backgroundAuthentication, cancelled, webViewReloaded

        init(of error: OAuth2Error) {
            switch error {
            case .server: self = .server
            case .webView: self = .webView
            case .invalidArgument: self = .invalidArgument
            case .http: self = .http
            case .missingHTTPResponse: self = .missingHTTPResponse
            case .parse: self = .parse
            case .authenticationInProgress: self = .authenticationInProgress
            case .authorizationCode: self = .authorizationCode
            case .tokenRejected: self = .tokenRejected
            case .backgroundAuthentication: self = .backgroundAuthentication
            case .cancelled: self = .cancelled
            case .webViewReloaded: self = .webViewReloaded
            }
        }

        func reach() async throws -> Ending {
            switch self {
            case .server: try await meeting(.error("invalid_client", status: 401), "401", "invalid_client")
            case .webView:
                try await requesting { bench in
                    bench.mock.inject(.status(500), matching: "/oauth2/api/v1/authorize")
                    return bench.end(try await bench.request(), challengedWith: 401, naming: "OAuth2", bench.origin, "500")
                }
            case .invalidArgument:
                try await ErrorBench.run("OAuth2") { bench in
                    var parameters = try parameters(for: bench)
                    parameters.tokenEndpointURL = try #require(URL(string: "http://login.example/token?secret=c4n4ry"))
                    let authenticator = OAuth2Authenticator(
                        authenticationParameters: parameters, sapURLSession: bench.session)
                    return bench.end(
                        await ErrorBench.error { _ = try await authenticator.authenticate() }, naming: "OAuth2",
                        "http://login.example")
                }
            case .http: try await meeting(.status(503), "503")
            case .missingHTTPResponse:
                try await requesting { bench in
                    bench.mock.inject(tokenFault: .connectionReset, times: .max)
                    return bench.end(try await bench.request(), challengedWith: 401, naming: "OAuth2")
                }
            case .parse:
                try await requesting { bench in
                    bench.mock.inject(tokenFault: .html)
                    return bench.end(try await bench.request(), challengedWith: 401, naming: "OAuth2", bench.origin, "200")
                }
            case .authenticationInProgress: try await busy()
            case .authorizationCode:
                try await requesting { bench in
                    bench.mock.inject(callbackFault: .values("code", []))
                    return bench.end(try await bench.request(), challengedWith: 401, naming: "OAuth2")
                }
            case .tokenRejected:
                try await requesting(options: { options in options.oauth2 = { $0.accessTokenLifetime = .zero } }) { bench in
                    bench.end(try await bench.request(), challengedWith: 401, naming: "OAuth2")
                }
            case .backgroundAuthentication: try await failing(.background)
            case .cancelled: try await failing(.dismissed)
            case .webViewReloaded: try await failing(.reloaded)
            }
        }

        private func parameters(for bench: ErrorBench) throws -> OAuth2AuthenticationParameters {
            var parameters = OAuth2AuthenticationParameters(
                settingsParameters: bench.settings, clientID: "countersign",
                redirectURL: try #require(URL(string: "com.example.countersign://oauth2/callback")))
            parameters.state = "c4n4ry-state"
            return parameters
        }

        private func requesting(
            presenter: any WebPresenter = ErrorBench.person, options: (inout MockOptions) -> Void = { _ in },
            _ scenario: (ErrorBench) async throws -> Ending
        ) async throws -> Ending {
            let store = MemoryTokenStore()
            return try await ErrorBench.run("OAuth2", presenter: { _ in presenter }, options: options) { bench in
                bench.session.register(
                    OAuth2Observer(authenticationParameters: try parameters(for: bench), tokenStore: store))
                var ending = try await scenario(bench)
                if let root = URL(string: "\(bench.origin)/"), let token = store.token(for: root) {
                    ending.secrets += [token.accessToken, token.refreshToken].compactMap { $0 }
                }
                return ending
            }
        }

        /// Runs a first login whose token request fails.
        private func meeting(_ fault: MockTokenFault, _ names: String...) async throws -> Ending {
            try await requesting { bench in
                bench.mock.inject(tokenFault: fault, times: .max)
                var ending = bench.end(try await bench.request(), challengedWith: 401, naming: "OAuth2", "POST", bench.origin)
                ending.names += names
                return ending
            }
        }

        private func failing(_ failure: PresentationFailure) async throws -> Ending {
            try await requesting(presenter: FailingPresenter(failure: failure)) { bench in
                bench.end(try await bench.request(), challengedWith: 401, naming: "OAuth2")
            }
        }

        private func busy() async throws -> Ending {
            let presenter = WaitingPresenter()
            return try await ErrorBench.run("OAuth2", presenter: { _ in presenter }) { bench in
                let authenticator = OAuth2Authenticator(
                    authenticationParameters: try parameters(for: bench), sapURLSession: bench.session)
                async let first = ErrorBench.error { _ = try await authenticator.authenticate() }
                await presenter.shown()
                let error = await ErrorBench.error { _ = try await authenticator.authenticate() }
                authenticator.cancelAuthentication()
                guard case .cancelled? = await first as? OAuth2Error else {
                    Issue.record("the first was not cancelled")
                    return bench.end(nil)
                }
                return bench.end(error, naming: "OAuth2")
            }
        }
    }

    @Test func `M36 a refusal that comes in a redirect says which server refused`() async throws {
        let ending = try await ErrorBench.run("OAuth2") { bench in
            let parameters = OAuth2AuthenticationParameters(
                settingsParameters: bench.settings, clientID: "countersign",
                redirectURL: try #require(URL(string: "com.example.countersign://oauth2/callback")))
            bench.session.register(OAuth2Observer(authenticationParameters: parameters, tokenStore: MemoryTokenStore()))
            bench.mock.inject(callbackFault: .values("error", ["access_denied"]))
            return bench.end(try await bench.request(), challengedWith: 401, naming: "OAuth2", bench.origin, "access_denied")
        }
        ending.expectUsefulTexts()
        ending.expectTrace()
    }

    @Test func `M36 a token endpoint that cannot be reached is named`() async throws {
        let ending = try await ErrorBench.run("OAuth2") { bench in
            var parameters = OAuth2AuthenticationParameters(
                settingsParameters: bench.settings, clientID: "countersign",
                redirectURL: try #require(URL(string: "com.example.countersign://oauth2/callback")))
            // Port 1 of this machine accepts no connection.
            parameters.tokenEndpointURL = try #require(URL(string: "http://127.0.0.1:1/token"))
            let authenticator = OAuth2Authenticator(authenticationParameters: parameters, sapURLSession: bench.session)
            return bench.end(
                await ErrorBench.error { _ = try await authenticator.authenticate() }, naming: "OAuth2", "POST",
                "http://127.0.0.1:1")
        }
        #expect((ending.error as? OAuth2Error)?.code == "http")
        ending.expectUsefulTexts()
    }
}
