import Countersign
import CountersignAsyncHTTPClient
import CountersignFileStore
import CountersignTesting
import Foundation
import HTTPTypes
import OpenIDConnect
import Synchronization
import TestTurns
import Testing

/// The generated clients of OpenID Connect, on sockets, also with a provider that sends false data.
@Suite(.takesTurns) struct OpenIDConnectTests {
    private static var options: MockOAuth2Options {
        var options = MockOAuth2Options()
        options.openID = MockOpenIDOptions()
        options.scopes = ["openid", "read"]
        return options
    }

    private func login(_ server: MockAuthorizationServer) throws -> OpenIDLoginObserver {
        OpenIDLoginObserver(
            parameters: OpenIDLoginParameters(
                apis: [server.baseURL], issuer: server.baseURL, clientID: "app",
                redirectURL: try #require(URL(string: "http://127.0.0.1/callback"))))
    }

    private func run(
        _ change: (inout MockOAuth2Options) -> Void = { _ in }, _ body: (MockAuthorizationServer, Session) async throws -> Void
    ) async throws {
        var options = Self.options
        change(&options)
        try await MockAuthorizationServer.run(options: options) { server in
            let presenter = FormFillingPresenter(values: ["j_username": "alice", "j_password": "wonderland"])
            await withSession(presenter: presenter) { session in try await body(server, session) }
        }
    }

    private func call(_ server: MockAuthorizationServer, _ session: Session) async throws -> Int {
        try await status(SessionRequest(HTTPRequest(url: server.baseURL.appending(path: "data"))), session)
    }

    // MARK: A correct provider

    @Test func `a user logs in once for a hundred requests, at endpoints that the provider names`() async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            server.hold(.prefix("/data"), until: 100)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await call(server, session) } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
            #expect(server.statistics.refusals.isEmpty)
            // The metadata and the keys.
            #expect(server.statistics.publications == 2)
        }
    }

    @Test func `metadata and keys are kept, through renewals, a logout and the next login`() async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            for _ in 0..<3 {
                #expect(try await call(server, session) == 200)
                server.expireAccessTokens()
            }
            try await session.logOut()
            #expect(server.statistics.revocations == 2)
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 2, .refreshToken: 2])
            #expect(server.statistics.publications == 2)
        }
    }

    @Test func `RT-50 keys that the provider has changed are fetched anew, once`() async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            #expect(try await call(server, session) == 200)
            server.rotateKeys()
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.publications == 3)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.publications == 3)
        }
    }

    @Test func `a provider that cannot say where its endpoints are now is asked again by the next request`() async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            server.inject(.metadataStatus(503))
            #expect(await code { try await call(server, session) } == .unexpectedAnswer)
            #expect(try await call(server, session) == 200)
        }
    }

    @Test func `B22 where there are no metadata in the first place, they are looked for in that of RFC 8414`() async throws {
        try await run {
            $0.openID?.metadataPath = "/.well-known/oauth-authorization-server"
        } _: { (server, session) async throws in
            session.register(try login(server))
            #expect(try await call(server, session) == 200)
        }
    }

    @Test func `the credential has the latest ID token, which a renewal without one keeps`() async throws {
        try await run { (server, session) async throws in
            let observer = try login(server)
            session.register(observer)
            #expect(try await call(server, session) == 200)
            let first = try #require(try await observer.credential(in: session)?.idToken)
            #expect(first.split(separator: ".").count == 3)

            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            let second = try #require(try await observer.credential(in: session)?.idToken)
            #expect(second != first)

            server.expireAccessTokens()
            server.inject(.missing)
            #expect(try await call(server, session) == 200)
            #expect(try await observer.credential(in: session)?.idToken == second)
            #expect(server.statistics.refreshes == 2)
        }
    }

    @Test func `a service gets tokens from the endpoint that the provider names`() async throws {
        try await run {
            $0.clients.append(MockOAuth2Client(id: "reports", secret: "s3cret", grants: [.clientCredentials]))
        } _: { (server, session) async throws in
            session.register(
                OpenIDServiceObserver(
                    parameters: OpenIDServiceParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "reports", clientSecret: "s3cret")))
            for _ in 0..<2 {
                #expect(try await call(server, session) == 200)
                server.expireAccessTokens()
            }
            #expect(server.statistics.tokenAnswers == [.clientCredentials: 2])
            #expect(server.statistics.publications == 1)
        }
    }

    // MARK: A malicious provider

    struct Lie: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let tell: @Sendable (MockAuthorizationServer) -> Void
        let code: CountersignError.Code

        static func token(
            _ name: String, _ fault: MockIDTokenFault, _ code: CountersignError.Code = .untrustedToken
        ) -> Lie {
            Lie(testDescription: name, tell: { $0.inject(fault) }, code: code)
        }

        static func claim(_ name: String, _ claim: String, _ json: String?) -> Lie { token(name, .claims([claim: json])) }

        static func metadata(_ name: String, _ member: String, _ json: String?, _ code: CountersignError.Code) -> Lie {
            Lie(testDescription: name, tell: { $0.inject(.metadata([member: json])) }, code: code)
        }
    }

    private static let hour = 3_600
    private static func time(_ seconds: Int) -> String { "\(Int(Date().timeIntervalSince1970) + seconds)" }

    static let lies: [Lie] = [
        .claim("another issuer", "iss", #""https://evil.example""#), .claim("no issuer", "iss", nil),
        .claim("an issuer with a slash", "iss", #""http://localhost/""#),
        .claim("an issuer that is a list", "iss", #"["https://evil.example"]"#),
        .claim("another audience", "aud", #""other""#), .claim("no audience", "aud", nil),
        .claim("an empty audience", "aud", "[]"), .claim("an audience that is an object", "aud", #"{"app":true}"#),
        .claim("other audiences", "aud", #"["other","third"]"#),
        .claim("several audiences, and no party", "aud", #"["app","other"]"#),
        .claim("another party", "azp", #""other""#), .claim("a party that is no text", "azp", "{}"),
        .claim("another nonce", "nonce", #""other""#), .claim("no nonce", "nonce", nil), .claim("an empty nonce", "nonce", #""""#),
        .claim("over an hour ago", "exp", time(-hour)), .claim("no end", "exp", nil),
        .claim("an end that is a text", "exp", #""\#(time(hour))""#), .claim("an end that is no number", "exp", "true"),
        .claim("made tomorrow", "iat", time(24 * hour)), .claim("good from tomorrow on", "nbf", time(24 * hour)),
        .claim("the hash of another access token", "at_hash", #""77QmUPtjPfzWtF2AnpK9RQ""#),
        .claim("no subject", "sub", nil), .claim("an empty subject", "sub", #""""#),
        .token("unsigned", .unsigned), .token("signed with another key", .foreignKey),
        .token("signed with what is published", .sharedSecret), .token("changed after it was signed", .tampered),
        .token("an algorithm that is none", .header(["alg": #""NONE""#])),
        .token("an algorithm with a secret", .header(["alg": #""HS512""#])),
        .token("a key that is not there", .header(["kid": #""key-9""#])),
        .token("a key of another type", .header(["kid": #""key-0""#])),
        .token("a header that has to be understood", .header(["crit": #"["b64"]"#, "b64": "false"])),
        .token("no ID token", .missing, .unexpectedAnswer),
        .metadata("metadata of another issuer", "issuer", #""https://evil.example""#, .unexpectedAnswer),
        .metadata("metadata of no issuer", "issuer", nil, .unexpectedAnswer),
        .metadata("a login page elsewhere", "authorization_endpoint", #""https://evil.example/login""#, .addressRefused),
        .metadata("a token endpoint elsewhere", "token_endpoint", #""https://evil.example/token""#, .addressRefused),
        .metadata("a token endpoint on another port", "token_endpoint", #""http://localhost:1/token""#, .addressRefused),
        .metadata("a token endpoint without encryption", "token_endpoint", #""http://login.example/token""#, .addressRefused),
        .metadata("a token endpoint with a user", "token_endpoint", #""https://a:b@localhost/token""#, .addressRefused),
        .metadata("a token endpoint that is a path", "token_endpoint", #""javascript:alert(1)""#, .addressRefused),
        .metadata("no token endpoint", "token_endpoint", nil, .unexpectedAnswer),
        .metadata("keys elsewhere", "jwks_uri", #""https://evil.example/keys""#, .addressRefused),
        .metadata("keys in a file", "jwks_uri", #""file:///etc/passwd""#, .addressRefused),
        .metadata("no keys", "jwks_uri", nil, .unexpectedAnswer),
        .metadata("a revocation endpoint elsewhere", "revocation_endpoint", #""https://evil.example/revoke""#, .addressRefused),
        Lie(testDescription: "keys of ten megabytes", tell: { $0.inject(.hugeKeys(bytes: 10_000_000)) }, code: .responseTooLarge),
        Lie(testDescription: "no keys now", tell: { $0.inject(.keysStatus(500)) }, code: .unexpectedAnswer),
        Lie(
            testDescription: "another issuer in the page's answer",
            tell: { $0.inject(MockCallbackFault.values("iss", ["https://evil.example"])) }, code: .answerRefused),
        Lie(
            testDescription: "no issuer in the page's answer", tell: { $0.inject(MockCallbackFault.values("iss", [])) },
            code: .answerRefused),
        Lie(
            testDescription: "another state", tell: { $0.inject(MockCallbackFault.values("state", ["x"])) },
            code: .answerRefused),
        Lie(
            testDescription: "a token of another type",
            tell: { $0.inject(MockTokenFault.members(["token_type": #""mac""#]), for: .authorizationCode) },
            code: .unexpectedAnswer),
    ]

    @Test(arguments: lies) func `B10 a lie ends the login with an error, and no token is used`(lie: Lie) async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            lie.tell(server)
            #expect(await code { try await call(server, session) } == lie.code)
            #expect(server.statistics.resources == 0)
            // Afterwards correct data is accepted, and none of the false data is kept.
            server.removeFaults()
            #expect(try await call(server, session) == 200)
        }
    }

    @Test(arguments: [("exp", -200), ("iat", 200), ("nbf", 200)])
    func `clocks may differ by some minutes`(claim: String, seconds: Int) async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            server.inject(MockIDTokenFault.claims([claim: Self.time(seconds)]))
            #expect(try await call(server, session) == 200)
        }
    }

    @Test(arguments: [("exp", -400), ("iat", 400), ("nbf", 400)])
    func `but not by more than five`(claim: String, seconds: Int) async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            server.inject(MockIDTokenFault.claims([claim: Self.time(seconds)]))
            #expect(await code { try await call(server, session) } == .untrustedToken)
        }
    }

    @Test func `a key that has no name and was changed is fetched anew`() async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            #expect(try await call(server, session) == 200)
            server.rotateKeys()
            server.expireAccessTokens()
            server.inject(MockIDTokenFault.header(["kid": nil]))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.publications == 3)
        }
    }

    @Test func `what is no set of keys is not kept`() async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            // Once before the token is requested, and once for its signature.
            server.inject(MockPublicationFault.keys(#"{"0":{}}"#), times: 2)
            #expect(await code { try await call(server, session) } == .untrustedToken)
            #expect(try await call(server, session) == 200)
        }
    }

    @Test func `keys that cannot be had cost no refresh token`() async throws {
        let store = MemoryCredentialStore()
        func observer(_ server: MockAuthorizationServer) throws -> OpenIDLoginObserver {
            OpenIDLoginObserver(
                parameters: OpenIDLoginParameters(
                    apis: [server.baseURL], issuer: server.baseURL, clientID: "app",
                    redirectURL: try #require(URL(string: "http://127.0.0.1/callback"))), store: store)
        }
        try await run { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            // The next process has neither the metadata nor the keys.
            await withSession { next in
                next.register(try observer(server))
                server.inject(MockPublicationFault.keysStatus(500))
                #expect(await code { try await call(server, next) } == .unexpectedAnswer)
                #expect(server.statistics.refreshes == 0)
                #expect(try await call(server, next) == 200)
                #expect(server.statistics.refreshes == 1)
                #expect(server.statistics.refreshTokenReuses == 0)
            }
        }
    }

    @Test(arguments: ["interaction_required", "login_required", "consent_required", "invalid_token"])
    func `a renewal for which the user is needed becomes a login`(error: String) async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            server.inject(.error(error, status: 400), for: .refreshToken)
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 2])
        }
    }

    @Test func `the scope openid is always requested`() async throws {
        try await run { (server, session) async throws in
            session.register(
                OpenIDLoginObserver(
                    parameters: OpenIDLoginParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "app",
                        redirectURL: try #require(URL(string: "http://127.0.0.1/callback")), scopes: "read")))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.authorizationParameters.map { $0["scope"] } == ["openid read"])
        }
    }

    @Test func `a refusal with status 403 is a refusal, and one that is not expected is named`() async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            server.inject(.error("access_denied", status: 403), for: .authorizationCode)
            let refused = await #expect(throws: CountersignError.self) { try await call(server, session) }
            #expect(refused?.code == .refusedByServer && refused?.serverErrorCode == "access_denied")
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            server.inject(.error("invalid_client", status: 401), for: .refreshToken)
            let unexpected = await #expect(throws: CountersignError.self) { try await call(server, session) }
            #expect(unexpected?.code == .unexpectedAnswer && unexpected?.detail.contains("'invalid_client'") == true)
        }
    }

    @Test func `a login after a refusal requests what the application wants, and not what was granted`() async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            server.inject(.members(["scope": #""openid,read""#]), for: .authorizationCode)
            #expect(try await call(server, session) == 200)
            server.endAllSessions()
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.authorizationParameters.map { $0["scope"] } == ["openid", "openid"])
        }
    }

    @Test func `an ID token for someone else after a refresh is not taken`() async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            server.inject(MockIDTokenFault.claims(["sub": #""mallory""#]))
            #expect(await code { try await call(server, session) } == .otherUser)
            #expect(server.statistics.resources == 1)
        }
    }

    @Test func `requests of one user are not sent as another one who logs in after the tokens have ended, until a logout`()
        async throws
    {
        try await run { (server, session) async throws in
            let observer = try login(server)
            session.register(observer)
            #expect(try await call(server, session) == 200)
            for _ in 0..<2 {
                server.endAllSessions()
                server.inject(MockIDTokenFault.claims(["sub": #""mallory""#]))
                #expect(await code { try await call(server, session) } == .otherUser)
            }
            #expect(server.statistics.resources == 1)
            // The same user can log in again, and has a new ID token.
            #expect(try await call(server, session) == 200)
            #expect(try await observer.credential(in: session)?.subject == "alice")

            server.endAllSessions()
            try await session.logOut()
            server.inject(MockIDTokenFault.claims(["sub": #""mallory""#]))
            #expect(try await call(server, session) == 200)
            #expect(try await observer.credential(in: session)?.subject == "mallory")
        }
    }

    @Test func `a failed login does not let another user log in without a logout`() async throws {
        try await run { (server, session) async throws in
            session.register(try login(server))
            #expect(try await call(server, session) == 200)
            server.endAllSessions()
            server.inject(.error("access_denied", status: 403), for: .authorizationCode)
            #expect(await code { try await call(server, session) } == .refusedByServer)
            server.inject(MockIDTokenFault.claims(["sub": #""mallory""#]))
            #expect(await code { try await call(server, session) } == .otherUser)
            #expect(server.statistics.resources == 1)
            #expect(try await call(server, session) == 200)
        }
    }
}
