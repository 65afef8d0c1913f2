import Countersign
import CountersignBrowser
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A user logs in, and every later request carries the token.
@Suite(.takesTurns) struct AuthorizationCodeTests {
    @Test(arguments: [nil, "authentication-status", "bearer"])
    func `M11 each form of challenge leads to a login, and later requests carry the token`(signature: String?) async throws {
        try await OAuth2Bench.run(signature: signature) { bench in
            try bench.registerCode()
            #expect(try await bench.user() == "alice")
            #expect(try await bench.user(at: "other") == "alice")
            #expect(bench.counted.challenges == 1)
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `B6 B11 every login has a state and a code challenge of its own, and PKCE cannot be left out`() async throws {
        try await OAuth2Bench.run(oauth2: { $0.requiresPKCE = true }) { bench in
            try bench.registerCode()
            for _ in 0..<3 {
                _ = try await bench.user()
                bench.session.endSession()
            }
            #expect(bench.counted.authorizationRequests == 3)
            #expect(bench.counted.requestsWithoutState == 0)
            #expect(bench.counted.repeatedStates == 0)
            #expect(bench.counted.repeatedChallenges == 0)
        }
    }

    @Test func `RT-12 a hundred first requests take one login`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            let users = await bench.users(100)
            #expect(users.allSatisfy { (try? $0.get()) == "alice" })
            #expect(bench.counted.challenges == 100)
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `B9 every code is asked for with an S256 challenge, which its verifier has to answer`() async throws {
        let presenter = RecordingPresenter()
        try await OAuth2Bench.run(oauth2: { $0.requiresPKCE = true }, presenter: presenter) { bench in
            try bench.registerCode()
            #expect(try await bench.user() == "alice")
            bench.session.endSession()
            #expect(try await bench.user() == "alice")
            #expect(presenter.pages.count == 2)
            for page in presenter.pages {
                #expect(page.parameter("code_challenge_method") == "S256")
                // RFC 7636, section 4.2: the SHA-256 of the verifier, in base64url without padding.
                #expect(page.parameter("code_challenge")?.utf8.count == 43)
                #expect(page.parameter("code_verifier") == nil)
            }
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 2], "the server has compared verifier and challenge")
        }
    }

    @Test func `B12 the application's state goes behind a random part, and comes back unchanged or is refused`() async throws {
        let presenter = RecordingPresenter()
        let state = "tenant-7 & scope=all"
        try await OAuth2Bench.run(presenter: presenter) { bench in
            try bench.registerCode { $0.state = state }
            for _ in 0..<2 {
                bench.session.endSession()
                #expect(try await bench.user() == "alice")
            }
            let sent = presenter.pages.compactMap { $0.parameter("state") }
            #expect(sent.count == 2)
            #expect(sent.allSatisfy { $0.count == 43 + state.count && $0.hasSuffix(state) })
            #expect(Set(sent.map { $0.prefix(43) }).count == 2)
            #expect(presenter.pages.allSatisfy { $0.parameter("scope") != "all" })

            for other in ["tenant-8", "", "tenant-7tenant-7"] {
                bench.session.endSession()
                bench.mock.resetStatistics()
                presenter.change { result in
                    let url = URL(string: result.finishURL.absoluteString.replacing("tenant-7", with: other))
                    return WebPresentationResult(finishURL: url ?? result.finishURL, cookies: result.cookies)
                }
                #expect((await bench.error() as? CountersignError)?.code == .answerRefused, "\(other)")
                #expect(presenter.answers.last?.absoluteString.contains("tenant-7") == true, "the server sent it back unchanged")
                #expect(bench.counted.tokenRequests == [:])
            }
        }
    }

    @Test func `B8 B13 the answer to one login is refused in the next, state and code together`() async throws {
        let presenter = RecordingPresenter()
        try await OAuth2Bench.run(presenter: presenter) { bench in
            try bench.registerCode()
            #expect(try await bench.user() == "alice")
            let used = try #require(presenter.answers.first)
            bench.session.endSession()
            bench.mock.resetStatistics()
            presenter.change { WebPresentationResult(finishURL: used, cookies: $0.cookies) }
            #expect((await bench.error() as? CountersignError)?.code == .answerRefused)
            #expect(bench.counted.tokenRequests == [:])
        }
    }

    @Test func `B18 scopes are asked for, and the token says which it has`() async throws {
        try await OAuth2Bench.run(oauth2: { $0.requiredScopes = ["/admin": "write"] }) { bench in
            try bench.registerCode { $0.requestingScopes = ["read"] }
            #expect(try await bench.user() == "alice")
            let token = bench.store.token(for: try bench.root)
            #expect(token?.scopes == ["read"])
            let (_, response) = try await bench.session.data(from: bench.mock.baseURL.appending(path: "admin"))
            #expect((response as? HTTPURLResponse)?.statusCode == 403, "another login would bring the same scopes")
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `B7 a confidential client shows its secret, and uses PKCE all the same`() async throws {
        let change = { @Sendable (options: inout MockOAuth2Options) in
            options.clients[0].secret = "h&m: 100%"
            options.clients[0].authentications = [.rawBasic]
            options.requiresPKCE = true
        }
        let presenter = RecordingPresenter()
        try await OAuth2Bench.run(oauth2: change, presenter: presenter) { bench in
            try bench.registerCode { $0.clientSecret = "h&m: 100%" }
            #expect(try await bench.user() == "alice")
            #expect(presenter.pages.first?.parameter("code_challenge_method") == "S256")
        }
    }

    @Test func `a parameter more at the token endpoint is missing until the spec has it`() async throws {
        try await OAuth2Bench.run(oauth2: { $0.requiredTokenParameters = ["resource": "orders"] }) { bench in
            try bench.registerCode()
            guard case .server(let error)? = await bench.error() as? OAuth2Error else {
                Issue.record("not refused")
                return
            }
            #expect(error.code == "invalid_request")
        }
    }

    // MARK: Answers that are not to be trusted

    @Test(arguments: [
        MockCallbackFault.values("state", []), .values("state", ["guess"]), .repeated("state"), .repeated("code"), .fragment,
        .values("access_token", ["t"]), .values("iss", ["https://evil.example"]), .values("iss", []),
    ])
    func `RT-35 RT-36 RT-37 an answer that is not this login's, or holds a token, is refused`(fault: MockCallbackFault) async throws
    {
        try await OAuth2Bench.run { bench in
            try bench.registerCode { $0.issuer = bench.mock.baseURL.absoluteString }
            bench.mock.inject(callbackFault: fault)
            let error = try #require(await bench.error() as? CountersignError)
            #expect(error.code == .answerRefused)
            #expect(error.authenticationMethod == "OAuth2")
            #expect(bench.counted.tokenRequests == [:])
            #expect(try await bench.user() == "alice", "a failed login does not stick")
        }
    }

    @Test(arguments: ["http://app.example/callback", "callback", "http://localhost.example/callback"])
    func `B23 a code comes back encrypted or to this machine, and nowhere else`(redirect: String) async throws {
        try await OAuth2Bench.run { bench in
            let url = try #require(URL(string: redirect))
            try bench.registerCode { $0.redirectURL = url }
            guard case .invalidArgument(let detail)? = await bench.error() as? OAuth2Error else {
                Issue.record("not refused")
                return
            }
            #expect(detail.contains("{redirectURL}"))
            #expect(bench.counted.authorizationRequests == 0)
        }
    }

    @Test(arguments: [
        "https://evil.example/callback", "http://127.0.0.1/callback", "com.example.countersign.evil://oauth2/callback",
        "com.example.countersign://evil/callback", "com.example.countersign://oauth2/callback/elsewhere",
        "com.example.countersign://oauth2/",
    ])
    func `B24 an answer is taken at the registered redirect URL alone, and no presenter may choose another`(
        address: String
    ) async throws {
        let presenter = RecordingPresenter()
        try await OAuth2Bench.run(presenter: presenter) { bench in
            try bench.registerCode()
            for isStated in [false, true] {
                presenter.change { result in
                    let query = result.finishURL.query(percentEncoded: true) ?? ""
                    guard let url = URL(string: "\(address)?\(query)"), let base = URL(string: address) else { return result }
                    return WebPresentationResult(
                        finishURL: url, cookies: result.cookies, redirectURL: isStated ? base : result.redirectURL)
                }
                #expect((await bench.error() as? CountersignError)?.code == .presenterFailed)
                #expect(presenter.answers.last?.parameter("code") != nil, "everything but the address was good")
            }
            #expect(bench.counted.tokenRequests == [:])
        }
    }

    @Test func `a redirect URL that the server does not know ends the login there`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode { $0.redirectURL.append(path: "elsewhere") }
            guard case .webView? = await bench.error() as? OAuth2Error else {
                Issue.record("another error")
                return
            }
            #expect(bench.counted.authorizations == 0)
        }
    }

    @Test(arguments: ["http://login.example/authorize", "ftp://login.example/", "/authorize"])
    func `B23 no page and no token endpoint is asked without encryption`(endpoint: String) async throws {
        try await OAuth2Bench.run { bench in
            let url = try #require(URL(string: endpoint))
            var parameters = try bench.parameters
            parameters.authorizationEndpointURL = url
            await #expect(throws: OAuth2Error.self) {
                try await OAuth2Authenticator(authenticationParameters: parameters, sapURLSession: bench.session).authenticate()
            }
            parameters = try bench.parameters
            parameters.tokenEndpointURL = url
            await #expect(throws: OAuth2Error.self) {
                try await OAuth2Authenticator(authenticationParameters: parameters, sapURLSession: bench.session).authenticate()
            }
            #expect(bench.counted.tokenRequests == [:])
        }
    }

    @Test func `an answer without a code is the method's error, and so is a refusal`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            bench.mock.inject(callbackFault: .values("code", []))
            guard case .authorizationCode? = await bench.error() as? OAuth2Error else {
                Issue.record("another error")
                return
            }
            bench.mock.inject(callbackFault: .values("error", ["access_denied"]))
            guard case .server(let error)? = await bench.error() as? OAuth2Error else {
                Issue.record("another error")
                return
            }
            #expect(error.code == "access_denied")
        }
    }

    // MARK: Ends

    @Test func `a token that is refused as soon as it is used ends in tokenRejected`() async throws {
        try await OAuth2Bench.run(oauth2: { $0.accessTokenLifetime = .zero }) { bench in
            try bench.registerCode()
            guard case .tokenRejected? = await bench.error() as? OAuth2Error else {
                Issue.record("another error")
                return
            }
        }
    }

    @Test func `without a presenter a login says so at once`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            try bench.registerCode()
            #expect((await bench.error() as? CountersignError)?.code == .noPresenter)
        }
    }

    @Test func `a cancelled login is the method's error for all waiting requests, and a second direct one is busy`() async throws {
        let presenter = WaitingPresenter()
        try await OAuth2Bench.run(presenter: presenter) { bench in
            let authenticator = OAuth2Authenticator(
                authenticationParameters: try bench.parameters, sapURLSession: bench.session, webViewPresenter: presenter)
            bench.session.register(OAuth2Observer(authenticator: authenticator, tokenStore: bench.store))
            async let first = bench.error()
            await presenter.shown()
            await #expect(throws: OAuth2Error.self) { try await authenticator.authenticate() }
            authenticator.cancelAuthentication()
            guard case .cancelled? = await first as? OAuth2Error else {
                Issue.record("another error")
                return
            }
            authenticator.cancelAuthentication()
        }
    }

    @Test func `a login in the user's own browser comes back to a port of the loopback interface`() async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            let browser = FormFillingBrowser()
            let presenter = LoopbackPresenter { url in try await browser.open(url) }
            var parameters = try bench.parameters
            parameters.redirectURL = try #require(URL(string: "http://127.0.0.1/callback"))
            let observer = OAuth2Observer(
                authenticationParameters: parameters, tokenStore: bench.store, webViewPresenter: presenter)
            bench.session.register(observer)
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 1])
        }
    }
}
