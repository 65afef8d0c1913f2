import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import FormLogin
import Foundation
import HTTPAuthentication
import HTTPTypes
import OAuth
import OpenIDConnect
import Synchronization
import TestTurns
import Testing

/// Credentials that are obtained before any request, or come from another library.
@Suite(.takesTurns) struct AuthenticationInAdvanceTests: OpenIDBench {
    static var options: MockOAuth2Options { MockOAuth2Options() }

    private func codeParameters(_ server: MockAuthorizationServer) throws -> AuthorizationCodeParameters {
        AuthorizationCodeParameters(
            apis: [server.baseURL], authorizationURL: server.authorizationEndpoint, tokenURL: server.tokenEndpoint,
            clientID: "app", redirectURL: try #require(URL(string: "http://127.0.0.1/callback")),
            revocationURL: server.revocationEndpoint)
    }

    /// The tokens of a login by other code.
    private struct Tokens: Decodable {
        let access_token: String
        let refresh_token: String
    }

    /// Logs in as an application without this library would, and returns the tokens.
    private func tokens(
        of server: MockAuthorizationServer, for user: String = "alice", password: String = "wonderland"
    ) async throws -> Tokens {
        let redirectURL = try #require(URL(string: "http://127.0.0.1/callback"))
        let transport = AsyncHTTPClientTransport()
        let presentation = WebPresentation(
            authenticationMethod: "Other",
            url: server.authorizationEndpoint.appending(queryItems: [
                URLQueryItem(name: "response_type", value: "code"), URLQueryItem(name: "client_id", value: "app"),
                URLQueryItem(name: "redirect_uri", value: redirectURL.absoluteString), URLQueryItem(name: "state", value: "s"),
            ]), finish: FinishRule(redirectURL, match: .path), jar: CookieJar(), transport: transport)
        let result = try await FormFillingPresenter(user: user, password: password).present(presentation)
        let items = URLComponents(url: result.finishURL, resolvingAgainstBaseURL: false)?.percentEncodedQueryItems
        let code = try #require(items?.first { $0.name == "code" }?.value)
        let form = "grant_type=authorization_code&client_id=app&code=\(code)&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback"
        let request = HTTPRequest(
            method: .post, url: server.tokenEndpoint, headerFields: [.contentType: "application/x-www-form-urlencoded"])
        let response = try await transport.send(SessionRequest(request, body: .bytes(Array(form.utf8))))
        let body = try await response.body.collect(upTo: 65_536)
        try await transport.shutdown()
        return try JSONDecoder().decode(Tokens.self, from: Data(body))
    }

    /// Passes tokens of another library to an observer.
    @discardableResult
    private func adopt(
        _ tokens: Tokens, for lifetime: Duration = .seconds(300), by observer: AuthorizationCodeObserver, in session: Session
    ) async throws -> Bool {
        try await observer.adopt(
            accessToken: tokens.access_token, refreshToken: tokens.refresh_token, lifetime: lifetime, in: session)
    }

    /// Has no password.
    private struct Nobody: HTTPDigestPrompting {
        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? { nil }
    }

    /// A user who does something before filling in the login page.
    private struct DistractedUser: WebPresenter {
        let user = User()
        let distraction: @Sendable () async -> Void

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            await distraction()
            return try await user.present(presentation)
        }
    }

    // MARK: - In advance

    @Test func `a login in advance serves the requests, and a second one does nothing`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server))
            session.register(observer)
            try await observer.authenticate(for: server.baseURL, in: session)
            #expect(user.count == 1)
            try await observer.authenticate(for: server.baseURL, in: session)
            for _ in 0..<3 { #expect(try await call(server, session) == 200) }
            #expect(user.count == 1)
            #expect(server.statistics.challenges == 0)
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `requests and calls in advance at the same time share one login`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server))
            session.register(observer)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await observer.authenticate(for: server.baseURL, in: session) }
                    group.addTask {
                        let status = try await call(server, session)
                        #expect(status == 200)
                    }
                }
                try await group.waitForAll()
            }
            #expect(user.count == 1)
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `a login in advance is shown again after a dismissal, also within the cool-down`() async throws {
        let user = User(patience: 0)
        let options = Self.options
        try await MockAuthorizationServer.run(options: options) { server in
            var configuration = SessionConfiguration()
            configuration.presenter = user
            configuration.dismissalCoolDown = .seconds(600)
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server))
            session.register(observer)
            for count in 1...2 {
                #expect(await code { try await observer.authenticate(for: server.baseURL, in: session) } == .cancelled)
                #expect(user.count == count)
            }
            // A challenged request shows none.
            #expect(await code { try await call(server, session) } == .cancelled)
            #expect(user.count == 2)
            await session.invalidate(cancelling: true)
        }
    }

    @Test func `an expired credential is renewed in advance, without the user`() async throws {
        let user = User()
        let clock = ForwardClock()
        var options = Self.options
        options.accessTokenLifetime = .seconds(600)
        try await MockAuthorizationServer.run(options: options) { server in
            var configuration = SessionConfiguration()
            configuration.presenter = user
            configuration.clock = clock
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server))
            session.register(observer)
            try await observer.authenticate(for: server.baseURL, in: session)
            clock.advance(by: .seconds(601))
            server.advance(by: .seconds(601))
            try await observer.authenticate(for: server.baseURL, in: session)
            #expect(user.count == 1)
            #expect(server.statistics.refreshes == 1)
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.refreshes == 1)
            await session.invalidate(cancelling: true)
        }
    }

    @Test func `a stored credential needs no login in advance`() async throws {
        let user = User()
        let store = MemoryCredentialStore()
        try await run(user) { (server, first) async throws in
            let parameters = try codeParameters(server)
            let observer = AuthorizationCodeObserver(parameters: parameters, store: store)
            first.register(observer)
            try await observer.authenticate(for: server.baseURL, in: first)
            await withSession(presenter: user) { (second) async throws in
                let observer = AuthorizationCodeObserver(parameters: parameters, store: store)
                second.register(observer)
                try await observer.authenticate(for: server.baseURL, in: second)
                #expect(try await call(server, second) == 200)
            }
            #expect(user.count == 1)
            #expect(server.statistics.challenges == 0)
        }
    }

    @Test func `a login in advance is refused for servers that may not receive the credential`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server))
            session.register(observer)
            for text in ["https://elsewhere.example/", "http://elsewhere.example", "mailto:alice@example.com"] {
                let url = try #require(URL(string: text))
                #expect(await code { try await observer.authenticate(for: url, in: session) } == .invalidRequest)
            }
            #expect(user.count == 0)
        }
    }

    @Test func `a closed session takes no login in advance`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server))
            session.register(observer)
            await session.invalidate(cancelling: true)
            #expect(
                await code { try await observer.authenticate(for: server.baseURL, in: session) } == .sessionInvalidated)
            #expect(user.count == 0)
        }
    }

    @Test func `a form is filled in in advance`() async throws {
        try await MockFormLogin.run(hasForm: true) { mock in
            await withSession { (session) async throws in
                let observer = FormLoginObserver(
                    parameters: FormLoginParameters(
                        loginURL: mock.loginURL, user: "alice", password: "wonderland", logoutURL: mock.logoutURL))
                session.register(observer)
                try await observer.authenticate(for: mock.loginURL, in: session)
                let data = mock.loginURL.deletingLastPathComponent().appending(path: "data")
                let response = try await session.send(SessionRequest(HTTPRequest(url: data)))
                #expect(response.head.status.code == 200)
                #expect(mock.statistics.logins == 1)
                #expect(mock.statistics.challenges == 0)
            }
        }
    }

    @Test func `a method whose steps depend on a challenge is refused with a reason`() async throws {
        let server = try #require(URL(string: "https://service.example"))
        await withSession { (session) async throws in
            let observer = HTTPDigestObserver(
                parameters: HTTPDigestParameters(servers: [server]), prompting: Nobody())
            session.register(observer)
            do {
                try await observer.authenticate(for: server, in: session)
                Issue.record("no error")
            } catch let error as CountersignError {
                #expect(error.code == .invalidRequest)
                #expect("\(error)".contains("its steps depend on a challenge of the server"))
            }
        }
    }

    @Test func `a credential of the parameters is there in advance`() async throws {
        let server = try #require(URL(string: "https://service.example"))
        await withSession { (session) async throws in
            let observer = APIKeyObserver(parameters: APIKeyParameters(key: "key", servers: [server]))
            session.register(observer)
            try await observer.authenticate(for: server, in: session)
        }
    }

    @Test func `an observer of another session takes no credential`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server))
            #expect(await code { try await observer.authenticate(for: server.baseURL, in: session) } == .invalidRequest)
            #expect(await code { try await observer.adopt(accessToken: "token", in: session) } == .invalidRequest)
            session.register(observer)
            await session.invalidate(cancelling: true)
            #expect(user.count == 0)
        }
    }

    // MARK: - From elsewhere

    /// A store that waits before it saves, and can fail.
    private final class SlowStore: CredentialStore {
        private let store = MemoryCredentialStore()
        private let fails: Bool
        private let started = Mutex(false)

        init(fails: Bool = false) { self.fails = fails }

        var isSaving: Bool { started.withLock(\.self) }

        func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential? { try await store.read(key) }

        func write(
            _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
        ) async throws(CredentialStoreError) -> CredentialVersion {
            if fails { throw CredentialStoreError(.unavailable, detail: "the store is unavailable") }
            started.withLock { $0 = true }
            try? await Task.sleep(for: .milliseconds(200))
            return try await store.write(secret, for: key, replacing: version)
        }

        func delete(_ key: CredentialKey, replacing version: CredentialVersion) async throws(CredentialStoreError) {
            try await store.delete(key, replacing: version)
        }

        func discard(_ key: CredentialKey) async throws(CredentialStoreError) { try await store.discard(key) }

        func clear() async throws(CredentialStoreError) { try await store.clear() }

        func withExclusiveLock<Success: Sendable>(
            on key: CredentialKey, timeout: Duration, _ operation: @Sendable () async throws -> Success
        ) async throws -> Success {
            try await store.withExclusiveLock(on: key, timeout: timeout, operation)
        }
    }

    @Test func `requests that are challenged while tokens are being stored wait for them, and no user logs in`() async throws {
        let user = User()
        let store = SlowStore()
        try await run(user) {
            $0.requiresPKCE = false
        } _: { (server, session) async throws in
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server), store: store)
            session.register(observer)
            let tokens = try await tokens(of: server)
            async let isStored = adopt(tokens, by: observer, in: session)
            while !store.isSaving { try await Task.sleep(for: .milliseconds(1)) }
            #expect(try await call(server, session) == 200)
            #expect(try await isStored)
            #expect(user.count == 0)
            #expect(server.statistics.refreshes == 0)
        }
    }

    @Test func `tokens that a store cannot save are used, and the caller learns it`() async throws {
        let user = User()
        try await run(user) {
            $0.requiresPKCE = false
        } _: { (server, session) async throws in
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server), store: SlowStore(fails: true))
            session.register(observer)
            let tokens = try await tokens(of: server)
            let isStored = try await adopt(tokens, by: observer, in: session)
            #expect(!isStored)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 0)
        }
    }

    @Test func `tokens of another library are used, stored and renewed, and no user logs in`() async throws {
        let user = User()
        let store = MemoryCredentialStore()
        try await run(user) {
            $0.requiresPKCE = false
        } _: { (server, session) async throws in
            let parameters = try codeParameters(server)
            let observer = AuthorizationCodeObserver(parameters: parameters, store: store)
            session.register(observer)
            let tokens = try await tokens(of: server)
            try await adopt(tokens, by: observer, in: session)
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.challenges == 0)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.refreshes == 1)
            #expect(server.statistics.refreshTokenReuses == 0)
            // Another process finds the renewed tokens.
            await withSession(presenter: user) { (second) async throws in
                second.register(AuthorizationCodeObserver(parameters: parameters, store: store))
                #expect(try await call(server, second) == 200)
            }
            #expect(server.statistics.refreshes == 1)
            #expect(user.count == 0)
        }
    }

    @Test func `a renewal that no request waits for does not bring the former user back`() async throws {
        let user = User()
        try await run(user) {
            $0.requiresPKCE = false
            $0.users["bob"] = "builder"
        } _: { (server, session) async throws in
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server))
            session.register(observer)
            let others = try await tokens(of: server, for: "bob", password: "builder")
            #expect(try await self.user(server, session) == "alice")
            server.expireAccessTokens()
            let gate = server.hold(.prefix("/oauth2/api/v1/token"), until: 2, limit: .seconds(30))
            let request = Task { try await call(server, session) }
            while gate.arrived == 0 { try await Task.sleep(for: .milliseconds(1)) }
            request.cancel()
            _ = await request.result
            async let isStored = adopt(others, by: observer, in: session)
            try await Task.sleep(for: .milliseconds(50))
            gate.open()
            _ = try await isStored
            #expect(try await self.user(server, session) == "bob")
            server.expireAccessTokens()
            #expect(try await self.user(server, session) == "bob")
            #expect(user.count == 1)
        }
    }

    /// The user whose credential a request carries, as the server reports it.
    private func user(_ server: MockAuthorizationServer, _ session: Session) async throws -> String {
        let response = try await session.send(SessionRequest(HTTPRequest(url: server.baseURL.appending(path: "data"))))
        let body = try await response.body.collect(upTo: 65_536)
        return try JSONDecoder().decode(MockResource.self, from: Data(body)).user
    }

    @Test(arguments: [Duration.zero, .seconds(-3600)])
    func `expired tokens of another library are renewed before the first request`(_ lifetime: Duration) async throws {
        let user = User()
        try await run(user) {
            $0.requiresPKCE = false
        } _: { (server, session) async throws in
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server))
            session.register(observer)
            let tokens = try await tokens(of: server)
            try await adopt(tokens, for: lifetime, by: observer, in: session)
            #expect(server.statistics.refreshes == 0)
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.challenges == 0)
            #expect(server.statistics.refreshes == 1)
            #expect(user.count == 0)
        }
    }

    @Test func `after tokens that the server no longer accepts, the user logs in`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server))
            session.register(observer)
            try await observer.adopt(accessToken: "revoked", refreshToken: "revoked", in: session)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 1)
            #expect(server.statistics.tokenAnswers[.authorizationCode] == 1)
        }
    }

    @Test func `tokens that no request can carry, or that have expired for good, change nothing`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server))
            session.register(observer)
            try await observer.authenticate(for: server.baseURL, in: session)
            #expect(
                await code { try await observer.adopt(accessToken: "two\r\nlines", in: session) } == .invalidRequest)
            #expect(
                await code { try await observer.adopt(accessToken: "expired", lifetime: .zero, in: session) }
                    == .invalidRequest)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 1)
            #expect(server.statistics.challenges == 0)
        }
    }

    /// Reports requests to a revocation endpoint, and the cookies that they carry.
    private final class RevocationWatch: HTTPTransport {
        private let transport = AsyncHTTPClientTransport()
        private let path: String
        private let state = Mutex<(cookies: [String], willRevoke: @Sendable () -> Void)>(([], {}))

        init(_ endpoint: URL) { path = endpoint.path() }

        var cookies: [String] { state.withLock(\.cookies) }

        func willRevoke(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.willRevoke = action } }

        func send(_ request: SessionRequest) async throws -> SessionResponse {
            if request.head.path == path {
                state.withLock(\.willRevoke)()
                state.withLock { $0.cookies += [request.head.headerFields[.cookie] ?? ""] }
            }
            return try await transport.send(request)
        }

        func shutdown() async throws { try await transport.shutdown() }
    }

    @Test func `the revocations of a user carry no cookies of the next one`() async throws {
        var options = Self.options
        options.requiresPKCE = false
        try await MockAuthorizationServer.run(options: options) { server in
            let transport = RevocationWatch(server.revocationEndpoint)
            var configuration = SessionConfiguration()
            configuration.presenter = User()
            let session = Session(configuration: configuration, transport: transport)
            session.register(AuthorizationCodeObserver(parameters: try codeParameters(server)))
            #expect(try await call(server, session) == 200)
            // The next user logs in before the first revocation is sent.
            transport.willRevoke { [weak session] in
                session?.cookies.set(Cookie(name: "sso", value: "bob", domain: "127.0.0.1", isHostOnly: true))
            }
            try await session.logOut()
            #expect(transport.cookies == ["", ""])
            #expect(session.cookies.all.map(\.value) == ["bob"])
            await session.invalidate(cancelling: true)
        }
    }

    @Test func `tokens of another library are revoked at a logout, and do not come back`() async throws {
        let user = User()
        let store = MemoryCredentialStore()
        try await run(user) {
            $0.requiresPKCE = false
        } _: { (server, session) async throws in
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server), store: store)
            session.register(observer)
            let tokens = try await tokens(of: server)
            try await adopt(tokens, by: observer, in: session)
            try await session.logOut()
            #expect(server.statistics.revocations > 0)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 1)
        }
    }

    @Test func `while a login is running, no tokens are taken`() async throws {
        try await MockAuthorizationServer.run(options: Self.options) { server in
            let observer = AuthorizationCodeObserver(parameters: try codeParameters(server))
            let session = Mutex<Session?>(nil)
            let codes = Mutex<[CountersignError.Code?]>([])
            let user = DistractedUser {
                guard let session = session.withLock(\.self) else { return }
                // Not as a part of the login.
                let task = Task.detached { () async -> CountersignError.Code? in
                    await code { try await observer.adopt(accessToken: "other", in: session) }
                }
                let found = await task.value
                codes.withLock { $0.append(found) }
            }
            await withSession(presenter: user) { (current) async throws in
                session.withLock { $0 = current }
                current.register(observer)
                try await observer.authenticate(for: server.baseURL, in: current)
                #expect(try await call(server, current) == 200)
            }
            #expect(codes.withLock(\.self) == [.busy])
            #expect(server.statistics.challenges == 0)
        }
    }

    @Test func `tokens of an OpenID provider are renewed with the user's identifier`() async throws {
        let user = User()
        try await run(user) {
            $0.requiresPKCE = false
            $0.openID = MockOpenIDOptions()
            $0.scopes = ["openid", "read"]
        } _: { (server, session) async throws in
            let observer = OpenIDLoginObserver(parameters: try parameters(server))
            session.register(observer)
            let tokens = try await tokens(of: server)
            try await observer.adopt(
                tokenType: "Bearer", accessToken: tokens.access_token, refreshToken: tokens.refresh_token, subject: "alice",
                scope: "openid", lifetime: .zero, in: session)
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.refreshes == 1)
            #expect(user.count == 0)
        }
    }
}
