import Countersign
import CountersignAsyncHTTPClient
import CountersignBrowser
import CountersignTesting
import Crypto
import Foundation
import HTTPTypes
import OpenIDConnect
import Synchronization
import TestTurns
import Testing

/// Requirements of providers and services beyond a login, on sockets: pushed requests (RFC 9126), clients with keys (RFC 7523),
/// step-up authentication (RFC 9470), and token exchange (RFC 8693).
@Suite(.takesTurns) struct OpenIDExtensionsTests: OpenIDBench {
    private static let key = P256.Signing.PrivateKey()

    static var options: MockOAuth2Options {
        var options = MockOAuth2Options()
        options.openID = MockOpenIDOptions()
        options.scopes = ["openid", "read", "write"]
        options.clients += [
            MockOAuth2Client(
                id: "keyed", redirectURIs: ["http://127.0.0.1/callback"],
                grants: [.authorizationCode, .refreshToken, .clientCredentials, .tokenExchange, .deviceCode],
                key: key.publicKey.pemRepresentation),
            MockOAuth2Client(id: "secretive", secret: "s3cret", redirectURIs: ["http://127.0.0.1/callback"]),
            MockOAuth2Client(id: "orders", secret: "s3cret", grants: [.tokenExchange]),
        ]
        return options
    }

    // MARK: Pushed requests

    private static func pushed(_ options: inout MockOAuth2Options) {
        options.openID?.announcesPush = true
        options.requiresPush = true
    }

    @Test func `a provider that takes requests before its page is opened gets them so, once for a hundred calls`() async throws {
        let user = User()
        try await run(user, Self.pushed) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try parameters(server)))
            server.hold(.prefix("/data"), until: 100)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await call(server, session) } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(user.count == 1)
            #expect(server.statistics.pushes == 1)
            #expect(server.statistics.refusals.isEmpty)
        }
    }

    @Test func `a client with a secret shows it there, and names itself beside it`() async throws {
        try await run(User(), Self.pushed) { (server, session) async throws in
            var parameters = try parameters(server, client: "secretive")
            parameters.clientSecret = "s3cret"
            session.register(OpenIDLoginObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.pushes == 1)
        }
    }

    @Test func `a presenter that listens on a port of its own has that pushed, and nothing else`() async throws {
        let user = User(
            LoopbackPresenter { page in
                // A browser that fills in the form, and is redirected to the port.
                let presentation = WebPresentation(
                    authenticationMethod: "Browser", url: page,
                    finish: FinishRule(try #require(URL(string: "http://127.0.0.1/callback")), match: .path), jar: CookieJar(),
                    transport: AsyncHTTPClientTransport())
                _ = try? await FormFillingPresenter(values: ["j_username": "alice", "j_password": "wonderland"])
                    .present(presentation)
                try await presentation.transport.shutdown()
            })
        try await run(user, Self.pushed) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try parameters(server)))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.pushes == 1)
            #expect(server.statistics.authorizationRequests == 1)
        }
    }

    @Test func `a page for what was not pushed is not shown where that has to be`() async throws {
        let user = User()
        try await run(user, { $0.requiresPush = true }) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try parameters(server)))
            #expect(await code { try await call(server, session) } == .presenterFailed)
            #expect(server.statistics.authorizations == 0)
        }
    }

    @Test func `a wrong secret ends at the push, shows no page, and is not sent again`() async throws {
        let user = User()
        try await run(user, Self.pushed) { (server, session) async throws in
            var parameters = try parameters(server, client: "secretive")
            parameters.clientSecret = "wrong"
            session.register(OpenIDLoginObserver(parameters: parameters))
            for _ in 0..<3 { #expect(await code { try await call(server, session) } == .refusedByServer) }
            #expect(user.count == 0)
            #expect(server.statistics.refusals == ["invalid_client": 1])
        }
    }

    @Test(arguments: [#""https://evil.example/par""#, #""http://login.example/par""#, #""javascript:alert(1)""#])
    func `a push endpoint elsewhere is refused`(place: String) async throws {
        try await run(User(), Self.pushed) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try parameters(server)))
            server.inject(MockPublicationFault.metadata(["pushed_authorization_request_endpoint": place]))
            #expect(await code { try await call(server, session) } == .addressRefused)
            #expect(server.statistics.pushes == 0)
            #expect(try await call(server, session) == 200)
        }
    }

    // MARK: Clients with keys

    @Test func `B21 a client with a key logs in, renews and logs out with assertions, each of which is sent once`() async throws {
        let user = User()
        try await run(user, Self.pushed) { (server, session) async throws in
            var parameters = try parameters(server, client: "keyed")
            parameters.clientKey = Self.key.pemRepresentation
            parameters.clientKeyID = "2026-11"
            session.register(OpenIDLoginObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            try await session.logOut()
            // The push, the code, the refresh token and two revocations.
            #expect(server.statistics.assertions == 5)
            #expect(server.statistics.revocations == 2)
            #expect(server.statistics.refusals.isEmpty)
        }
    }

    @Test func `a service with a key needs no secret`() async throws {
        try await run { (server, session) async throws in
            session.register(
                OpenIDServiceObserver(
                    parameters: OpenIDServiceParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "keyed", clientKey: Self.key.pemRepresentation)))
            for _ in 0..<2 {
                #expect(try await call(server, session) == 200)
                server.expireAccessTokens()
            }
            #expect(server.statistics.assertions == 2)
        }
    }

    @Test func `another key is refused, once`() async throws {
        try await run { (server, session) async throws in
            session.register(
                OpenIDServiceObserver(
                    parameters: OpenIDServiceParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "keyed",
                        clientKey: P256.Signing.PrivateKey().pemRepresentation)))
            for _ in 0..<3 { #expect(await code { try await call(server, session) } == .refusedByServer) }
            #expect(server.statistics.refusals == ["invalid_client": 1])
        }
    }

    @Test func `a text that is no key is an error that says so, and nothing is sent`() async throws {
        try await run { (server, session) async throws in
            let text = "-----BEGIN PRIVATE KEY-----\nc4n4ry\n-----END PRIVATE KEY-----"
            session.register(
                OpenIDServiceObserver(
                    parameters: OpenIDServiceParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "keyed", clientKey: text)))
            let error = await #expect(throws: CountersignError.self) { try await call(server, session) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.detail.contains("not a private key in PEM") == true)
            #expect("\(String(describing: error)) \(String(reflecting: error))".contains("c4n4ry") == false)
            #expect(server.statistics.tokenRequests.isEmpty)
        }
    }

    // MARK: Users who authenticate otherwise

    @Test func `a service that wants another authentication has the user log in so, while the token serves other calls`()
        async throws
    {
        let user = User()
        try await run(user, { $0.requiredAuthentications = ["/data/pay": .init(acr: "phrh")] }) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try parameters(server)))
            #expect(try await call(server, session) == 200)
            server.hold(.prefix("/data/pay"), until: 20)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await call(server, session, "data/pay") } }
                for _ in 0..<20 { group.addTask { try await call(server, session) } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(user.count == 2)
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 2])
            // The authentication stays valid through a renewal.
            server.expireAccessTokens()
            #expect(try await call(server, session, "data/pay") == 200)
            #expect(user.count == 2)
        }
    }

    @Test func `a login that is too long ago is made anew`() async throws {
        let user = User()
        try await run(
            user,
            {
                $0.requiredAuthentications = ["/data/pay": .init(maxAge: .seconds(300))]
                $0.remembersUsers = true
            }
        ) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try parameters(server)))
            #expect(try await call(server, session, "data/pay") == 200)
            server.advance(by: .seconds(400))
            #expect(try await call(server, session) == 200)
            #expect(user.count == 1)
            #expect(try await call(server, session, "data/pay") == 200)
            #expect(user.count == 2)
        }
    }

    @Test(arguments: [nil, "1", "\"now\"", "null", "99999999999", "1e19", "-1e19", "1e300", "-1e12"])
    func `a login without a time, or of another time, is none where a service wants a new one`(_ time: String?) async throws {
        let user = User()
        try await run(user, { $0.requiredAuthentications = ["/data/pay": .init(maxAge: .seconds(300))] }) {
            (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try parameters(server)))
            // This resource has no requirements.
            server.inject(MockIDTokenFault.claims(["auth_time": time]))
            #expect(try await call(server, session) == 200)
            server.advance(by: .seconds(400))
            server.inject(MockIDTokenFault.claims(["auth_time": time]))
            #expect(await code { try await call(server, session, "data/pay") } == .untrustedToken)
            #expect(user.count == 2)
            // The earlier login remains valid for other resources.
            #expect(try await call(server, session) == 200)
        }
    }

    @Test func `RT-25 a scope that a token lacks is asked for beside those that were granted`() async throws {
        let user = User()
        try await run(user, { $0.requiredScopes = ["/data/write": "write", "/data": "read"] }) { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.scopes = "openid read"
            session.register(OpenIDLoginObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(try await call(server, session, "data/write") == 200)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 2)
            #expect(server.statistics.scopeRefusals == 1)
        }
    }

    @Test func `one service's wish does not undo another's`() async throws {
        let user = User()
        try await run(
            user,
            {
                $0.requiredAuthentications = ["/data/pay": .init(acr: "phrh")]
                $0.requiredScopes = ["/data/write": "write"]
            }
        ) { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.scopes = "openid read"
            session.register(OpenIDLoginObserver(parameters: parameters))
            for _ in 0..<2 {
                #expect(try await call(server, session, "data/pay") == 200)
                #expect(try await call(server, session, "data/write") == 200)
            }
            #expect(user.count == 3)
        }
    }

    @Test(arguments: [true, false])
    func `a service that wants another authentication and then another scope gets both`(isFirst: Bool) async throws {
        let user = User()
        let change: (inout MockOAuth2Options) -> Void = {
            $0.requiredAuthentications = ["/data/pay": .init(acr: "phrh")]
            $0.requiredScopes = ["/data/pay": "write"]
        }
        try await run(user, change) { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.scopes = "openid read"
            session.register(OpenIDLoginObserver(parameters: parameters))
            if !isFirst { #expect(try await call(server, session) == 200) }
            for _ in 0..<2 { #expect(try await call(server, session, "data/pay") == 200) }
            #expect(server.statistics.authenticationRefusals == 1 && server.statistics.scopeRefusals == 1)
            #expect(user.count == 3)
        }
    }

    @Test(arguments: [true, false])
    func `a service that is content with no scope ends the request after two logins for it`(isFirst: Bool) async throws {
        let user = User()
        let change: (inout MockOAuth2Options) -> Void = {
            $0.requiredAuthentications = ["/data/pay": .init(acr: "phrh")]
            $0.oddities.insatiablePath = "/data/pay"
        }
        try await run(user, change) { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.scopes = "openid read"
            session.register(OpenIDLoginObserver(parameters: parameters))
            if !isFirst { #expect(try await call(server, session) == 200) }
            #expect(await code { try await call(server, session, "data/pay") } == .challengedAgain)
            // The first login, one for the authentication, and two for the scope.
            #expect(user.count == 4)
            #expect(server.statistics.authenticationRefusals == 1 && server.statistics.scopeRefusals == 3)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 4)
        }
    }

    @Test func `a public client whose request is refused pushes it once for many calls`() async throws {
        let user = User()
        try await run(user, Self.pushed) { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.scopes = "openid admin"
            session.register(OpenIDLoginObserver(parameters: parameters))
            for _ in 0..<3 { #expect(await code { try await call(server, session) } == .refusedByServer) }
            #expect(user.count == 0)
            #expect(server.statistics.refusals == ["invalid_scope": 1])
        }
    }

    @Test func `a service that is never content ends in an error after two logins, and the token stays`() async throws {
        let user = User()
        try await run(user, { $0.requiredScopes = ["/data/admin": "admin"] }) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try parameters(server)))
            #expect(try await call(server, session) == 200)
            #expect(await code { try await call(server, session, "data/admin") } == .refusedByServer)
            #expect(user.count == 2)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 2)
        }
    }

    // MARK: Devices

    /// Runs a test with a session whose user enters the codes of a device.
    private func runDevice(
        _ change: (inout MockOAuth2Options) -> Void, scopes: String,
        _ body: (MockAuthorizationServer, Session) async throws -> Void
    ) async throws {
        try await run(User(), change) { (server, session) async throws in
            var configuration = SessionConfiguration()
            configuration.userCodePresenter = MockDeviceUser("alice", at: server)
            let device = Session(configuration: configuration, transport: session.transport)
            device.register(
                OpenIDDeviceObserver(
                    parameters: OpenIDDeviceParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: MockOAuth2Client.device.id, scopes: scopes)))
            try await body(server, device)
        }
    }

    @Test func `a device asks for a scope that its token lacks beside those that were granted`() async throws {
        let change: (inout MockOAuth2Options) -> Void = { $0.requiredScopes = ["/data/write": "write", "/data": "read"] }
        try await runDevice(change, scopes: "openid read") { (server, session) async throws in
            for path in ["data", "data/write", "data", "data/write"] {
                #expect(try await call(server, session, path) == 200)
            }
            #expect(server.statistics.deviceAuthorizations == 2)
            #expect(server.statistics.scopeRefusals == 1)
            #expect(server.statistics.refreshes == 0)
        }
    }

    @Test func `a device that cannot ask for an authentication neither renews nor logs in for it, and the token stays`()
        async throws
    {
        let change: (inout MockOAuth2Options) -> Void = { $0.requiredAuthentications = ["/data/pay": .init(acr: "phrh")] }
        try await runDevice(change, scopes: "openid read") { (server, session) async throws in
            #expect(try await call(server, session) == 200)
            for _ in 0..<3 {
                let error = await #expect(throws: CountersignError.self) { try await call(server, session, "data/pay") }
                #expect(error?.code == .challengedAgain)
                #expect(error?.detail.contains("more than") == true)
                #expect(try await call(server, session) == 200)
            }
            #expect(server.statistics.deviceAuthorizations == 1)
            #expect(server.statistics.refreshes == 0)
            #expect(server.statistics.authenticationRefusals == 3)
        }
    }

    // MARK: Logouts

    private func logoutParameters(_ server: MockAuthorizationServer) throws -> OpenIDLoginParameters {
        var parameters = try parameters(server)
        parameters.logoutURL = URL(string: "http://127.0.0.1/goodbye")
        return parameters
    }

    private static func withLogout(_ options: inout MockOAuth2Options) {
        var app = MockOAuth2Client.app
        app.logoutURIs = ["http://127.0.0.1/goodbye"]
        options.clients.append(app)
    }

    @Test func `a logout opens the provider's page for that, after the tokens are revoked`() async throws {
        let user = User()
        try await run(user, Self.withLogout) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try logoutParameters(server)))
            #expect(try await call(server, session) == 200)
            try await session.logOut()
            #expect(server.statistics.logouts == 1)
            #expect(server.statistics.revocations == 2)
            #expect(user.count == 2)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 3)
        }
    }

    @Test func `a user who closes that page has logged out all the same`() async throws {
        let user = User(patience: 1)
        try await run(user, Self.withLogout) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try logoutParameters(server)))
            #expect(try await call(server, session) == 200)
            try await session.logOut()
            #expect(server.statistics.logouts == 0)
            #expect(server.statistics.revocations == 2)
            #expect(await code { try await call(server, session) } == .cancelled)
        }
    }

    /// The machine's clock, which can be set forward while others sleep by it.
    private final class LeapingClock: Clock {
        typealias Instant = ContinuousClock.Instant

        private let clock = ForwardClock()

        var now: Instant { clock.now }
        var minimumResolution: Duration { clock.minimumResolution }

        func leap() { clock.advance(by: .seconds(3_600)) }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            try Task.checkCancellation()
            while now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        }
    }

    /// A user who logs in once, and then leaves pages open, for hours of a clock.
    private final class Idler: WebPresenter {
        private let user = User(patience: 1)
        private let clock: LeapingClock

        init(_ clock: LeapingClock) { self.clock = clock }

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            do {
                return try await user.present(presentation)
            } catch PresentationFailure.dismissed {
                // The time limit of the page may begin after the first hour.
                while true {
                    clock.leap()
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }
    }

    @Test func `a page that is left open holds a logout up for no longer than a request`() async throws {
        var options = Self.options
        Self.withLogout(&options)
        try await MockAuthorizationServer.run(options: options) { (server) async throws in
            let clock = LeapingClock()
            var configuration = SessionConfiguration()
            configuration.presenter = Idler(clock)
            configuration.clock = clock
            // Only the limit of a request ends within the time of the test.
            configuration.requestTimeout = .seconds(300)
            configuration.interactiveTimeout = .seconds(1_000_000_000)
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
            session.register(OpenIDLoginObserver(parameters: try logoutParameters(server)))
            #expect(try await call(server, session) == 200)
            try await session.logOut()
            #expect(server.statistics.revocations == 2 && server.statistics.logouts == 0)
            await session.invalidate(cancelling: true)
        }
    }

    @Test func `the page is shown whatever becomes of the tokens`() async throws {
        try await run(User(), Self.withLogout) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try logoutParameters(server)))
            #expect(try await call(server, session) == 200)
            server.inject(
                MockPublicationFault.metadata(["revocation_endpoint": "\"\(server.baseURL.absoluteString)/data\""]), times: .max)
            server.advance(by: .seconds(1))
            try? await session.logOut()
            #expect(server.statistics.logouts == 1)
        }
    }

    @Test func `a logout page of another origin is ignored`() async throws {
        try await run(User(), Self.withLogout) { (server, session) async throws in
            server.inject(
                MockPublicationFault.metadata(["end_session_endpoint": #""https://evil.example/logout""#]), times: .max)
            session.register(OpenIDLoginObserver(parameters: try logoutParameters(server)))
            #expect(try await call(server, session) == 200)
            try await session.logOut()
            #expect(server.statistics.revocations == 2 && server.statistics.logouts == 0)
        }
    }

    @Test func `a page that refuses is an error, and the user is logged out here`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try logoutParameters(server)))
            #expect(try await call(server, session) == 200)
            #expect(await code { try await session.logOut() } == .presenterFailed)
            #expect(server.statistics.logouts == 0)
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.authorizations == 2)
        }
    }

    // MARK: Tokens for tokens

    /// A service that is called with tokens of a user.
    private final class CalledService: OpenIDExchangePrompting {
        private let server: MockAuthorizationServer
        private let calls = Mutex(0)

        init(_ server: MockAuthorizationServer) { self.server = server }

        var count: Int { calls.withLock { $0 } }

        func subjectToken(for prompt: CredentialPrompt) -> String? {
            calls.withLock { $0 += 1 }
            return server.makeAccessToken(for: "alice", scopes: ["read"])
        }
    }

    private func exchange(_ server: MockAuthorizationServer, token: String? = nil) -> OpenIDExchangeParameters {
        OpenIDExchangeParameters(
            apis: [server.baseURL], issuer: server.baseURL, clientID: "orders", clientSecret: "s3cret", subjectToken: token)
    }

    @Test func `a service gets a token for the user's that it was called with`() async throws {
        try await run { (server, session) async throws in
            let token = server.makeAccessToken(for: "alice", scopes: ["read"])
            session.register(OpenIDExchangeObserver(parameters: exchange(server, token: token)))
            let response = try await session.send(SessionRequest(HTTPRequest(url: server.baseURL.appending(path: "data"))))
            let body = try await response.body.collect(upTo: 4096)
            #expect(try JSONDecoder().decode(MockResource.self, from: Data(body)).user == "alice")
            #expect(server.statistics.tokenAnswers == [.tokenExchange: 1])
        }
    }

    @Test func `the application is asked for the user's token where it has given none, each time that one is needed`() async throws
    {
        try await run { (server, session) async throws in
            let service = CalledService(server)
            session.register(OpenIDExchangeObserver(parameters: exchange(server), prompting: service))
            for _ in 0..<2 {
                #expect(try await call(server, session) == 200)
                server.expireAccessTokens()
            }
            #expect(service.count == 2)
        }
    }

    @Test func `an actor token is sent with its type, and neither is sent without an actor`() async throws {
        try await run { (server, session) async throws in
            var parameters = exchange(server, token: server.makeAccessToken(for: "alice", scopes: ["read"]))
            parameters.actorToken = server.makeAccessToken(for: "orders", scopes: ["read"])
            session.register(OpenIDExchangeObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
        }
    }

    @Test func `a user's token that is not good ends in an error, and is not sent again`() async throws {
        try await run { (server, session) async throws in
            session.register(OpenIDExchangeObserver(parameters: exchange(server, token: "stale")))
            for _ in 0..<3 { #expect(await code { try await call(server, session) } == .refusedByServer) }
            #expect(server.statistics.refusals == ["invalid_request": 1])
        }
    }

    @Test(arguments: [["token_type": #""N_A""#], ["issued_token_type": nil], ["access_token": nil]])
    func `what is no token for requests is not used for them`(members: [String: String?]) async throws {
        try await run { (server, session) async throws in
            let token = server.makeAccessToken(for: "alice", scopes: ["read"])
            session.register(OpenIDExchangeObserver(parameters: exchange(server, token: token)))
            server.inject(MockTokenFault.members(members), for: .tokenExchange)
            #expect(await code { try await call(server, session) } == .unexpectedAnswer)
            #expect(server.statistics.resources == 0)
        }
    }
}
