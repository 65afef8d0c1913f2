import Countersign
import CountersignAsyncHTTPClient
import CountersignDynamic
import CountersignSpec
import CountersignTesting
import Foundation
import HTTPTypes
import TestTurns
import Testing

/// Methods with `token: oauth2` whose variants revoke the token, on sockets.
@Suite(.takesTurns) struct TokenRevocationTests {
    private static let landscape = """
        countersign: 2
        landscape: Tokens
        summary: Tokens.
        swift: { surface: foundation }

        """

    private static let method = """
        countersign: 2
        method: Token
        summary: Tokens.
        challenge: [{ name: bearer, status: 401, www-authenticate: Bearer }]
        credential: { token: oauth2, for: [steps, requested] }
        variants:
          user:
            parameters:
              pageURL: { type: url, example: "https://login.example/page", summary: The page. }
              tokenURL: &token { type: url, example: "https://login.example/token", summary: The token endpoint. }
              revocationURL: &revocation { type: url, optional: true, summary: The revocation endpoint. }
              redirectURL: { type: url, example: "com.example://callback", summary: The redirect. }
            client: &app { id: app }
            acquire:
              - generate: { state: random, verifier: pkce }
              - present:
                  open: "{pageURL}"
                  query: { response_type: code, client_id: app, redirect_uri: "{redirectURL}", state: "{state}" }
                  pkce: "{verifier}"
                  until: { redirect: "{redirectURL}", verify: { state: "{state}" } }
                  answers: [{ query: { code: present }, capture: { code: { query: code, type: secret } } }]
              - http:
                  send: "POST {tokenURL}"
                  form: { grant_type: authorization_code, code: "{code}", redirect_uri: "{redirectURL}", code_verifier: "{verifier}" }
                  answers: oauth2-token
            renew:
              - http:
                  send: "POST {tokenURL}"
                  form: { grant_type: refresh_token, refresh_token: "{credential.refresh_token}" }
                  answers: oauth2-token
            end:
              - when: { revocationURL: present, credential.refresh_token: present }
                http:
                  send: "POST {revocationURL}"
                  client: *app
                  form: { token: "{credential.refresh_token}", token_type_hint: refresh_token }
                  answers: [{ status: 200 }]
          service:
            parameters:
              tokenURL: *token
              revocationURL: *revocation
              name: { type: string, example: reports, summary: The client. }
              secret: { type: secret, example: secret, summary: The secret. }
            client: &client { id: "{name}", secret: "{secret}" }
            acquire:
              - http: { send: "POST {tokenURL}", form: { grant_type: client_credentials }, answers: oauth2-token }
            end:
              - when: { revocationURL: present }
                http:
                  send: "POST {revocationURL}"
                  client: *client
                  form: { token: "{credential.access_token}" }
                  answers: [{ status: 200 }]
            swift: { parameters: TokenServiceParameters }

        """

    /// The method's variant with values for a server.
    private static func filled(_ variant: String, _ values: [String: String]) throws -> FilledProgram {
        let sources = SpecSources(own: [
            SpecFile(path: "landscape.yaml", bytes: Array(landscape.utf8)),
            SpecFile(path: "Token.yaml", bytes: Array(method.utf8)),
        ])
        let messages = SpecReader.read(sources).diagnostics
        #expect(messages.isEmpty, "\(DiagnosticRenderer().text(messages))")
        let found = try DynamicLandscape(sources).method(named: "Token")
        return try found.filled(try found.variant(named: variant), with: GivenValues(parameters: values.mapValues { [$0] }))
    }

    private static func userValues(_ server: MockAuthorizationServer) -> [String: String] {
        [
            "pageURL": server.authorizationEndpoint.absoluteString, "tokenURL": server.tokenEndpoint.absoluteString,
            "revocationURL": server.revocationEndpoint.absoluteString, "redirectURL": "http://127.0.0.1/callback",
        ]
    }

    private static func serviceValues(at url: URL) -> [String: String] {
        [
            "tokenURL": "\(url.absoluteString)/token", "revocationURL": "\(url.absoluteString)/revoke", "name": "reports",
            "secret": "s3cret",
        ]
    }

    /// Returns the status code of a request with a token, by a session without observers.
    private static func answer(to token: OAuth2Token, at url: URL) async -> Int? {
        var request = HTTPRequest(url: url.appending(path: "data"))
        request.headerFields[.authorization] = "Bearer \(token.accessToken)"
        var answer: Int?
        await withSession { answer = try await status(SessionRequest(request), $0) }
        return answer
    }

    /// Runs a function with a session that has the observer of a variant.
    private func run(
        _ variant: String, _ values: (MockAuthorizationServer) -> [String: String], store: MemoryTokenStore = MemoryTokenStore(),
        _ body: (MockAuthorizationServer, Session) async throws -> Void
    ) async throws {
        var options = MockOAuth2Options()
        options.clients.append(MockOAuth2Client(id: "reports", secret: "s3cret", grants: [.clientCredentials]))
        try await MockAuthorizationServer.run(options: options) { server in
            let filled = try Self.filled(variant, values(server))
            await withSession { tokenSession in
                let authenticator = GrantAuthenticator(
                    filled, session: tokenSession, presenter: FormFillingPresenter(user: "alice", password: "wonderland"))
                await withSession { session in
                    session.register(authenticator.observer(named: "TokenObserver", store: store))
                    try await body(server, session)
                }
            }
        }
    }

    private func call(_ server: MockAuthorizationServer, _ session: Session) async throws -> Int {
        try await status(SessionRequest(HTTPRequest(url: server.baseURL.appending(path: "data"))), session)
    }

    @Test func `a logout revokes the token of a user, and the next user logs in`() async throws {
        let store = MemoryTokenStore()
        try await run("user", Self.userValues, store: store) { (server, session) async throws in
            #expect(try await call(server, session) == 200)
            let token = try #require(store.token(for: server.baseURL))
            try await session.logOut()
            #expect(server.statistics.revocations == 1)
            #expect(store.token(for: server.baseURL) == nil)
            #expect(await Self.answer(to: token, at: server.baseURL) == 401)
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 2])
        }
    }

    @Test func `without a revocation endpoint, a logout sends nothing`() async throws {
        try await run("user", { Self.userValues($0).filter { $0.key != "revocationURL" } }) { (server, session) async throws in
            #expect(try await call(server, session) == 200)
            try await session.logOut()
            #expect(server.statistics.revocations == 0)
        }
    }

    @Test func `a token that arrives after the logout is revoked`() async throws {
        let store = MemoryTokenStore()
        try await run("user", Self.userValues, store: store) { (server, session) async throws in
            let gate = server.hold(.path(server.tokenEndpoint.path()), until: .max, limit: .seconds(60))
            let request = Task { try await call(server, session) }
            while gate.arrived == 0 { await Task.yield() }
            let logout = Task { try await session.logOut() }
            #expect(await code { try await request.value } == .sessionEnded)
            gate.open()
            try await logout.value
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
            #expect(server.statistics.revocations == 1)
            #expect(store.token(for: server.baseURL) == nil)
        }
    }

    @Test func `a logout revokes the token of a service by its client`() async throws {
        try await run("service") {
            [
                "tokenURL": $0.tokenEndpoint.absoluteString, "revocationURL": $0.revocationEndpoint.absoluteString,
                "name": "reports", "secret": "s3cret",
            ]
        } _: { (server, session) async throws in
            #expect(try await call(server, session) == 200)
            try await session.logOut()
            #expect(server.statistics.revocations == 1)
            #expect(server.statistics.refusals.isEmpty)
        }
    }

    @Test func `the mock that follows from the spec ends the token`() async throws {
        let mock = try await DescribedMock.start(programs: { url in
            let filled = try Self.filled("service", Self.serviceValues(at: url))
            return [(program: filled.program, values: filled.values)]
        })
        let filled = try Self.filled("service", Self.serviceValues(at: mock.url))
        let store = MemoryTokenStore()
        await withSession { session in
            session.register(GrantAuthenticator(filled, session: session).observer(named: "TokenObserver", store: store))
            let request = SessionRequest(HTTPRequest(url: mock.url.appending(path: "data")))
            #expect(try await status(request, session) == 200)
            let token = try #require(store.token(for: mock.url))
            #expect(await Self.answer(to: token, at: mock.url) == 200)
            try await session.logOut()
            #expect(mock.statistics.logouts == 1)
            #expect(await Self.answer(to: token, at: mock.url) == 401)
        }
        await mock.stop()
    }
}
