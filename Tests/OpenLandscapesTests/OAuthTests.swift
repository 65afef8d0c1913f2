import Countersign
import CountersignAsyncHTTPClient
import CountersignDynamic
import CountersignFileStore
import CountersignSpec
import CountersignTesting
import Foundation
import HTTPTypes
import OAuth
import Synchronization
import TestTurns
import Testing

/// The generated clients of OAuth 2.0, on sockets.
@Suite(.takesTurns) struct OAuthTests {
    /// A user who fills in login pages, and counts them.
    private final class User: WebPresenter {
        private let presenter: FormFillingPresenter
        private let pages = Mutex(0)

        init(_ name: String = "alice", password: String = "wonderland") {
            presenter = FormFillingPresenter(values: ["j_username": name, "j_password": password])
        }

        var count: Int { pages.withLock { $0 } }

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            pages.withLock { $0 += 1 }
            return try await presenter.present(presentation)
        }
    }

    private func parameters(_ server: MockAuthorizationServer, issuer: String? = nil) throws -> AuthorizationCodeParameters {
        AuthorizationCodeParameters(
            apis: [server.baseURL], authorizationURL: server.authorizationEndpoint, tokenURL: server.tokenEndpoint,
            clientID: "app", redirectURL: try #require(URL(string: "http://127.0.0.1/callback")),
            revocationURL: server.revocationEndpoint, issuer: issuer ?? server.baseURL.absoluteString)
    }

    private func run(
        _ user: User = User(), clock: any Clock<Duration> = ContinuousClock(),
        _ change: (inout MockOAuth2Options) -> Void = { _ in },
        _ body: (MockAuthorizationServer, Session) async throws -> Void
    ) async throws {
        var options = MockOAuth2Options()
        change(&options)
        try await MockAuthorizationServer.run(options: options) { server in
            var configuration = SessionConfiguration()
            configuration.presenter = user
            configuration.clock = clock
            var transport = AsyncHTTPClientTransport.Configuration()
            transport.maximumConnectionsPerHost = 100
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport(configuration: transport))
            do {
                try await body(server, session)
            } catch {
                Issue.record(error)
            }
            await session.invalidate(cancelling: true)
        }
    }

    private func call(_ server: MockAuthorizationServer, _ session: Session, _ path: String = "data") async throws -> Int {
        try await status(SessionRequest(HTTPRequest(url: server.baseURL.appending(path: path))), session)
    }

    @Test func `a user logs in once for a hundred requests, by PKCE, state and issuer`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(AuthorizationCodeObserver(parameters: try parameters(server)))
            server.hold(.prefix("/data"), until: 100)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await call(server, session) } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(user.count == 1)
            #expect(server.statistics.challenges == 100)
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
            #expect(server.statistics.requestsWithoutState == 0)
            #expect(server.statistics.refusals.isEmpty)
        }
    }

    @Test func `a refresh token renews what the server takes no more, and is used once`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(AuthorizationCodeObserver(parameters: try parameters(server)))
            for _ in 0..<3 {
                #expect(try await call(server, session) == 200)
                server.expireAccessTokens()
            }
            #expect(user.count == 1)
            #expect(server.statistics.refreshes == 2)
            #expect(server.statistics.refreshTokenReuses == 0)
        }
    }

    @Test func `an expired credential is renewed without a challenge`() async throws {
        let clock = ForwardClock()
        try await run(clock: clock) {
            $0.accessTokenLifetime = .seconds(600)
        } _: { (server, session) async throws in
            session.register(AuthorizationCodeObserver(parameters: try parameters(server)))
            #expect(try await call(server, session) == 200)
            server.advance(by: .seconds(601))
            clock.advance(by: .seconds(601))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.challenges == 1)
            #expect(server.statistics.refreshes == 1)
        }
    }

    @Test func `an answer that is lost with its connection is asked for again`() async throws {
        let user = User()
        try await run(user) {
            $0.reuseLeeway = .seconds(10)
        } _: { (server, session) async throws in
            session.register(AuthorizationCodeObserver(parameters: try parameters(server)))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            server.inject(.lostAnswer, for: .refreshToken)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 1)
        }
    }

    @Test func `a server that is in trouble ends the request, and keeps the session`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(AuthorizationCodeObserver(parameters: try parameters(server)))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            for fault in [
                MockTokenFault.status(503), .html, .error("temporarily_unavailable"), .error("invalid_client", status: 401),
            ] {
                server.inject(fault, for: .refreshToken)
                #expect(await code { try await call(server, session) } == .unexpectedAnswer, "\(fault)")
            }
            #expect(try await call(server, session) == 200)
            #expect(user.count == 1)
        }
    }

    @Test func `a session that the server has ended leads to the page`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(AuthorizationCodeObserver(parameters: try parameters(server)))
            #expect(try await call(server, session) == 200)
            server.endAllSessions()
            #expect(try await call(server, session) == 200)
            #expect(user.count == 2)
            #expect(server.statistics.refusals == ["invalid_grant": 1])
        }
    }

    @Test func `a logout revokes, and the next user logs in`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(AuthorizationCodeObserver(parameters: try parameters(server)))
            #expect(try await call(server, session) == 200)
            try await session.logOut()
            #expect(server.statistics.revocations >= 1)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 2)
        }
    }

    @Test func `sessions with one store log in once, and renew once`() async throws {
        let user = User()
        let store = MemoryCredentialStore()
        try await run(user) { (server, session) async throws in
            let parameters = try parameters(server)
            session.register(AuthorizationCodeObserver(parameters: parameters, store: store))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            await withSession { second in
                second.register(AuthorizationCodeObserver(parameters: parameters, store: store))
                async let first = call(server, session)
                async let other = call(server, second)
                let statuses = try await [first, other]
                #expect(statuses == [200, 200])
            }
            #expect(user.count == 1)
            #expect(server.statistics.refreshes == 1)
            #expect(server.statistics.refreshTokenReuses == 0)
        }
    }

    @Test func `a stored login is found after an update that asks for it in another way, and not for another user or scope`()
        async throws
    {
        let user = User()
        let store = MemoryCredentialStore()
        try await run(user) { (server, session) async throws in
            var parameters = try parameters(server)
            session.register(AuthorizationCodeObserver(parameters: parameters, store: store))
            #expect(try await call(server, session) == 200)
            parameters.prompt = .login
            parameters.redirectURL = try #require(URL(string: "http://127.0.0.1/elsewhere"))
            parameters.revocationURL = nil
            await withSession(presenter: user) { (second) async throws in
                second.register(AuthorizationCodeObserver(parameters: parameters, store: store))
                #expect(try await call(server, second) == 200)
            }
            #expect(user.count == 1)
            var another = try self.parameters(server)
            another.loginHint = "bob@example.com"
            var wider = try self.parameters(server)
            wider.scopes = "read"
            for (count, parameters) in [another, wider].enumerated() {
                await withSession(presenter: user) { (third) async throws in
                    third.register(AuthorizationCodeObserver(parameters: parameters, store: store))
                    #expect(try await call(server, third) == 200)
                }
                #expect(user.count == count + 2)
            }
        }
    }

    @Test(arguments: ["\"\"", "null"]) func `an error without content beside a token is none`(_ error: String) async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(AuthorizationCodeObserver(parameters: try parameters(server)))
            server.inject(.members(["error": error]), for: .authorizationCode)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 1)
        }
    }

    // MARK: The login page

    @Test func `a hint and a prompt are in the request if they are given, and only then`() async throws {
        try await run { (server, session) async throws in
            var parameters = try parameters(server)
            let plain = AuthorizationCodeObserver(parameters: parameters)
            session.register(plain)
            #expect(try await call(server, session) == 200)
            session.unregister(plain)
            parameters.loginHint = "alice@example.com"
            parameters.prompt = .selectAccount
            session.register(AuthorizationCodeObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            let sent = server.statistics.authorizationParameters
            #expect(sent.map { $0["login_hint"] } == [nil, "alice@example.com"])
            #expect(sent.map { $0["prompt"] } == [nil, "select_account"])
        }
    }

    @Test func `the server's error code is in the error`() async throws {
        try await run { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.scopes = "admin"
            session.register(AuthorizationCodeObserver(parameters: parameters))
            let error = await #expect(throws: CountersignError.self) { try await call(server, session) }
            #expect(error?.serverErrorCode == "invalid_scope")
        }
    }

    // MARK: Scopes

    @Test(arguments: ["read", nil]) func `a scope that a token lacks is asked for beside those that were granted`(
        scopes: String?
    ) async throws {
        let user = User()
        try await run(user) {
            $0.scopes = ["read", "write"]
            $0.requiredScopes = ["/data/write": "write", "/data": "read"]
        } _: { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.scopes = scopes
            session.register(AuthorizationCodeObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            server.hold(.prefix("/data/write"), until: 20)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await call(server, session, "data/write") } }
                for _ in 0..<20 { group.addTask { try await call(server, session) } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(try await call(server, session) == 200)
            // Without a scope in the request, the server has granted all.
            #expect(user.count == (scopes == nil ? 1 : 2))
            #expect(server.statistics.refreshes == 0)
            // The scopes stay through a renewal.
            server.expireAccessTokens()
            #expect(try await call(server, session, "data/write") == 200)
            #expect(user.count == (scopes == nil ? 1 : 2))
        }
    }

    @Test func `a scope that a token lacks is asked for beside those that an earlier process got`() async throws {
        let user = User()
        let store = MemoryCredentialStore()
        try await run(user) {
            $0.requiredScopes = ["/data/write": "write", "/data": "read"]
        } _: { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.scopes = "read"
            session.register(AuthorizationCodeObserver(parameters: parameters, store: store))
            #expect(try await call(server, session) == 200)
            await withSession(presenter: user) { (second) async throws in
                second.register(AuthorizationCodeObserver(parameters: parameters, store: store))
                #expect(try await call(server, second, "data/write") == 200)
                #expect(try await call(server, second) == 200)
            }
            #expect(user.count == 2)
            #expect(server.statistics.scopeRefusals == 1)
        }
    }

    @Test func `a service that is never content ends in an error after a login, and the token stays`() async throws {
        let user = User()
        try await run(user) {
            $0.requiredScopes = ["/data/admin": "admin"]
        } _: { (server, session) async throws in
            session.register(AuthorizationCodeObserver(parameters: try parameters(server)))
            #expect(try await call(server, session) == 200)
            #expect(await code { try await call(server, session, "data/admin") } == .refusedByServer)
            #expect(user.count == 2)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 2)
        }
    }

    // MARK: Forged responses

    @Test(arguments: [
        MockCallbackFault.values("state", ["another login's"]), .values("state", []), .values("iss", ["https://other.example"]),
        .values("access_token", ["t"]), .repeated("code"), .fragment,
    ])
    func `an answer that is not known to belong to the login is refused`(fault: MockCallbackFault) async throws {
        try await run { (server, session) async throws in
            session.register(AuthorizationCodeObserver(parameters: try parameters(server)))
            server.inject(fault)
            #expect(await code { try await call(server, session) } == .answerRefused)
            #expect(server.statistics.tokenRequests.isEmpty)
        }
    }

    @Test func `an issuer that is expected and not named is refused`() async throws {
        try await run {
            $0.sendsIssuer = false
        } _: { (server, session) async throws in
            session.register(AuthorizationCodeObserver(parameters: try parameters(server)))
            #expect(await code { try await call(server, session) } == .answerRefused)
        }
    }

    @Test func `a user without permission ends the request with the server's reason`() async throws {
        try await run { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.scopes = "admin"
            session.register(AuthorizationCodeObserver(parameters: parameters))
            do {
                _ = try await call(server, session)
                Issue.record("no error")
            } catch let error as CountersignError {
                #expect(error.code == .refusedByServer)
                #expect("\(error)".contains("invalid_scope"))
            }
        }
    }

    @Test func `without a presenter there is a clear error`() async throws {
        try await MockAuthorizationServer.run { server in
            let parameters = try parameters(server)
            await withSession { session in
                session.register(AuthorizationCodeObserver(parameters: parameters))
                #expect(await code { try await call(server, session) } == .noPresenter)
            }
        }
    }

    @Test func `two servers with one redirect URL and no issuers are not asked`() async throws {
        try await run { (server, session) async throws in
            var first = try parameters(server)
            first.issuer = nil
            var second = first
            second.authorizationURL = try #require(URL(string: "https://other.example/authorize"))
            second.tokenURL = try #require(URL(string: "https://other.example/token"))
            second.apis = [try #require(URL(string: "https://other.example"))]
            session.register(AuthorizationCodeObserver(parameters: first))
            session.register(AuthorizationCodeObserver(parameters: second))
            #expect(await code { try await call(server, session) } == .sharedRedirect)
        }
    }

    // MARK: Services

    private func service(
        _ server: MockAuthorizationServer, secret: String = MockOAuth2Client.service.secret ?? ""
    ) -> ClientCredentialsParameters {
        ClientCredentialsParameters(
            apis: [server.baseURL], tokenURL: server.tokenEndpoint, clientID: MockOAuth2Client.service.id, clientSecret: secret,
            scopes: "read")
    }

    @Test func `a service has one token for a hundred requests, and the next before it expires`() async throws {
        let clock = ForwardClock()
        try await run(clock: clock) {
            $0.accessTokenLifetime = .seconds(600)
        } _: { (server, session) async throws in
            let observer = ClientCredentialsObserver(parameters: service(server))
            try await expectOneTokenAtATime(of: observer, by: .clientCredentials, from: server, in: session, clock)
        }
    }

    @Test(arguments: [
        (ClientCredentialsParameters.ClientAuthentication.clientSecretBasic, MockOAuth2Client.Authentication.basic),
        (.clientSecretPost, .body), (.rawBasic, .rawBasic),
    ])
    func `a client shows its secret as the server wants it`(
        method: ClientCredentialsParameters.ClientAuthentication, authentication: MockOAuth2Client.Authentication
    ) async throws {
        var client = MockOAuth2Client.service
        client.id = "service"
        client.authentications = [authentication]
        try await run {
            $0.clients = [client]
        } _: { (server, session) async throws in
            var parameters = service(server)
            parameters.clientID = client.id
            parameters.clientAuthentication = method
            session.register(ClientCredentialsObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.refusals.isEmpty)
        }
    }

    @Test func `a request with an unknown client authentication method is not sent`() async throws {
        // The method of the spec is one of a closed set, so here it comes from a text.
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Specs/OAuth")
        let files = try ["landscape.yaml", "ClientCredentials.yaml"].map { name in
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                .replacing("authentication: \"{clientAuthentication}\"", with: "authentication: \"{clientID}\"")
                .replacing(/overlaps: .*/, with: "")
            return SpecFile(path: name, bytes: Array(text.utf8))
        }
        let method = try DynamicLandscape(SpecSources(own: files, inherited: [])).method(named: "ClientCredentials")
        try await run { (server, session) async throws in
            let values = GivenValues(parameters: [
                "apis": [server.baseURL.absoluteString], "tokenURL": [server.tokenEndpoint.absoluteString],
                "clientID": ["private_key_jwt"], "clientSecret": ["secret"],
            ])
            let filled = try method.filled(try method.variant(named: nil), with: values)
            session.register(ManagedObserver(filled, prompter: nil, store: nil))
            #expect(await code { try await call(server, session) } == .invalidRequest)
            #expect(server.statistics.tokenRequests.isEmpty)
        }
    }

    @Test func `a wrong secret is sent once`() async throws {
        try await run { (server, session) async throws in
            session.register(ClientCredentialsObserver(parameters: service(server, secret: "wr0ng-secret")))
            for _ in 0..<3 {
                do {
                    _ = try await call(server, session)
                    Issue.record("no error")
                } catch let error as CountersignError {
                    #expect(error.code == .refusedByServer)
                    #expect("\(error)".contains("invalid_client"))
                    #expect(!"\(error)".contains("wr0ng"))
                }
            }
            #expect(server.statistics.refusals == ["invalid_client": 1])
        }
    }
}
