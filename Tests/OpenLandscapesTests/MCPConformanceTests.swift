import Countersign
import CountersignTesting
import Crypto
import Foundation
import HTTPTypes
import ModelContextProtocol
import TestTurns
import Testing

/// The scenarios of modelcontextprotocol/conformance for the authorization of clients, by their names, with servers of this
/// package. The page `Conformance` has a table of all, with the reason for those that are not tested here.
@Suite(.takesTurns) struct MCPConformanceTests: OpenIDBench {
    private static let key = P256.Signing.PrivateKey()

    static var options: MockOAuth2Options {
        var options = ModelContextProtocolTests.options
        options.requiredScopes = [:]
        return options
    }

    private func parameters(of server: MockAuthorizationServer) throws -> MCPAuthorizationParameters {
        MCPAuthorizationParameters(
            server: server.baseURL.appending(path: "mcp"), issuers: [server.baseURL],
            redirectURL: try #require(URL(string: "http://127.0.0.1/callback")))
    }

    /// Calls the server once, and then checks its counts.
    private func answered(
        _ change: (inout MockOAuth2Options) -> Void = { _ in },
        by client: (inout MCPAuthorizationParameters) -> Void = { _ in }, as user: User = User(),
        _ check: (MockAuthorizationServer, Session) async throws -> Void = { _, _ in }
    ) async throws {
        try await run(user, change) { (server, session) async throws in
            var parameters = try parameters(of: server)
            client(&parameters)
            session.register(MCPAuthorizationObserver(parameters: parameters))
            #expect(try await call(server, session, "mcp") == 200)
            #expect(server.statistics.refusals.isEmpty && server.statistics.refusedAuthorizationRequests == 0)
            try await check(server, session)
        }
    }

    /// Calls the server, and expects an error and no use of a token.
    private func refused(
        with expected: CountersignError.Code, _ change: (inout MockOAuth2Options) -> Void = { _ in },
        _ prepare: (MockAuthorizationServer) -> Void = { _ in }
    ) async throws {
        try await run(User(), change) { (server, session) async throws in
            prepare(server)
            session.register(MCPAuthorizationObserver(parameters: try parameters(of: server)))
            #expect(await code { try await call(server, session, "mcp") } == expected)
            #expect(server.statistics.resources == 0 && server.statistics.tokenAnswers.isEmpty)
        }
    }

    // MARK: Discovery

    @Test func `auth/metadata-default`() async throws {
        try await answered()
    }

    @Test func `auth/metadata-var1`() async throws {
        try await answered { options in
            options.protectedResource?.namesMetadata = false
            options.openID?.metadataPath = "/.well-known/openid-configuration"
        }
    }

    @Test func `auth/metadata-var2`() async throws {
        try await answered { options in
            options.protectedResource?.namesMetadata = false
            options.protectedResource?.metadataPath = "/.well-known/oauth-protected-resource"
            options.oddities.issuerPath = "/tenant1"
            options.openID?.metadataPath = "/.well-known/oauth-authorization-server/tenant1"
        }
    }

    @Test func `auth/metadata-var3`() async throws {
        try await answered { options in
            options.protectedResource?.metadataPath = "/custom/metadata/location.json"
            options.oddities.issuerPath = "/tenant1"
            options.openID?.metadataPath = "/tenant1/.well-known/openid-configuration"
        }
    }

    @Test func `auth/resource-mismatch`() async throws {
        try await refused(with: .unexpectedAnswer) { _ in
        } _: { server in
            server.inject(.resource(["resource": #""https://evil.example/mcp""#]), times: .max)
        }
    }

    @Test func `auth/metadata-issuer-mismatch`() async throws {
        try await refused(with: .unexpectedAnswer) { _ in
        } _: { server in
            server.inject(MockPublicationFault.metadata(["issuer": #""https://evil.example""#]), times: .max)
        }
    }

    // MARK: Clients

    @Test func `auth/basic-cimd`() async throws {
        let metadata = try #require(URL(string: "https://conformance.example/client.json"))
        try await answered { options in
            options.openID?.announcesClientMetadata = true
            options.clients.append(MockOAuth2Client(id: metadata.absoluteString, redirectURIs: ["http://127.0.0.1/callback"]))
        } by: { (parameters: inout MCPAuthorizationParameters) in
            parameters.clientMetadataURL = metadata
        } _: { server, _ in
            #expect(server.statistics.registrations == 0)
        }
    }

    @Test func `auth/pre-registration`() async throws {
        try await answered { options in
            options.clients.append(
                MockOAuth2Client(id: "known", secret: "s3cret", redirectURIs: ["http://127.0.0.1/callback"]))
        } by: { (parameters: inout MCPAuthorizationParameters) in
            parameters.clientID = "known"
            parameters.clientSecret = "s3cret"
        } _: { (server, session) async throws in
            #expect(server.statistics.registrations == 0)
            server.expireAccessTokens()
            #expect(try await call(server, session, "mcp") == 200)
            #expect(server.statistics.refreshes == 1)
        }
    }

    /// Checks that a client that registers itself uses an authentication that the server supports, also for renewals.
    private func authenticated(_ methods: [String]) async throws {
        try await answered { options in
            options.openID?.authenticationMethods = methods
        } _: { (server, session) async throws in
            server.expireAccessTokens()
            #expect(try await call(server, session, "mcp") == 200)
            #expect(server.statistics.refreshes == 1 && server.statistics.registrations == 1)
        }
    }

    @Test func `auth/token-endpoint-auth-basic`() async throws { try await authenticated(["client_secret_basic"]) }
    @Test func `auth/token-endpoint-auth-post`() async throws { try await authenticated(["client_secret_post"]) }
    @Test func `auth/token-endpoint-auth-none`() async throws { try await authenticated(["none"]) }

    @Test func `auth/client-credentials-jwt`() async throws {
        try await service(clientKey: Self.key.pemRepresentation)
    }

    @Test func `auth/client-credentials-basic`() async throws {
        try await service(clientSecret: "s3cret")
    }

    private func service(clientSecret: String? = nil, clientKey: String? = nil) async throws {
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.clients.append(
                MockOAuth2Client(
                    id: "service", secret: clientSecret, grants: [.clientCredentials],
                    key: clientKey.map { _ in Self.key.publicKey.pemRepresentation }))
        }
        try await run(User(), change) { (server, session) async throws in
            session.register(
                MCPServiceObserver(
                    parameters: MCPServiceParameters(
                        server: server.baseURL.appending(path: "mcp"), issuers: [server.baseURL], clientID: "service",
                        clientSecret: clientSecret, clientKey: clientKey)))
            #expect(try await call(server, session, "mcp") == 200)
            #expect(server.statistics.refusals.isEmpty)
        }
    }

    /// Runs a test with two servers, of which the first server's resource later names the second as its authorization server.
    private func migrated(
        _ change: (inout MockOAuth2Options) -> Void = { _ in },
        _ body: (_ first: MockAuthorizationServer, _ second: MockAuthorizationServer, Session, _ move: () -> Void) async throws ->
            Void
    ) async throws {
        var options = Self.options
        options.openID?.authenticationMethods = ["client_secret_basic"]
        // The second server issues tokens for any resource.
        var others = options
        others.protectedResource = nil
        change(&options)
        try await MockAuthorizationServer.run(options: others) { (second) async throws in
            try await MockAuthorizationServer.run(options: options) { (first) async throws in
                await withSession(presenter: User()) { (session) async throws in
                    var parameters = try parameters(of: first)
                    parameters.issuers = [first.baseURL, second.baseURL]
                    session.register(MCPAuthorizationObserver(parameters: parameters))
                    #expect(try await call(first, session, "mcp") == 200)
                    try await body(first, second, session) {
                        first.inject(.resource(["authorization_servers": "[\"\(second.baseURL.absoluteString)\"]"]), times: .max)
                    }
                    #expect(first.statistics.registrations == 1 && second.statistics.registrations == 1)
                    // The second server would have refused a client or a secret of the first.
                    #expect(second.statistics.tokenAnswers == [.authorizationCode: 1] && second.statistics.refusals.isEmpty)
                    #expect(second.statistics.refusedAuthorizationRequests == 0)
                }
            }
        }
    }

    @Test func `auth/authorization-server-migration`() async throws {
        try await migrated { (first, second, session, move) async throws in
            move()
            first.endAllSessions()
            // The first server does not accept a token of the second.
            #expect(await code { try await call(first, session, "mcp") } == .challengedAgain)
        }
    }

    @Test func `a client of one authorization server is not used at another where a scope is missing`() async throws {
        try await migrated({ $0.requiredScopes = ["/mcp/write": "write"] }) { (first, second, session, move) async throws in
            move()
            #expect(await code { try await call(first, session, "mcp/write") } == .challengedAgain)
        }
    }

    // MARK: Scopes

    @Test func `auth/scope-from-www-authenticate`() async throws {
        try await answered { options in
            options.protectedResource?.scopes = ["read"]
            options.protectedResource?.challengedScope = "write"
            options.oddities.authorizationParameters = ["scope": "write"]
        }
    }

    @Test func `auth/scope-from-scopes-supported`() async throws {
        try await answered { options in
            options.protectedResource?.scopes = ["read", "write"]
            options.oddities.authorizationParameters = ["scope": "read write"]
        }
    }

    @Test func `auth/scope-omitted-when-undefined`() async throws {
        try await run(User()) { (server, session) async throws in
            server.inject(.resource(["scopes_supported": nil]), times: .max)
            session.register(MCPAuthorizationObserver(parameters: try parameters(of: server)))
            #expect(try await call(server, session, "mcp") == 200)
            // A request without scopes gets all of them.
            #expect(server.statistics.scopesOfRequests == [nil])
        }
    }

    @Test func `auth/scope-step-up`() async throws {
        let user = User()
        try await answered({ $0.requiredScopes = ["/mcp/write": "write"] }, as: user) { (server, session) async throws in
            #expect(try await call(server, session, "mcp/write") == 200)
            #expect(server.statistics.scopesOfRequests == ["read", "read write"])
            #expect(user.count == 2)
        }
    }

    @Test func `auth/scope-retry-limit`() async throws {
        let user = User()
        try await answered({ $0.oddities.insatiablePath = "/mcp/admin" }, as: user) { (server, session) async throws in
            #expect(await code { try await call(server, session, "mcp/admin") } == .challengedAgain)
            #expect(user.count == 3 && server.statistics.scopeRefusals == 3)
            #expect(try await call(server, session, "mcp") == 200)
        }
    }

    @Test func `auth/offline-access-scope`() async throws {
        try await answered {
            $0.scopes.append("offline_access")
        } _: { server, _ in
            #expect(server.statistics.scopesOfRequests == ["read offline_access"])
        }
    }

    @Test func `auth/offline-access-not-supported`() async throws {
        try await answered { _ in
        } _: { server, _ in
            #expect(server.statistics.scopesOfRequests == ["read"])
        }
    }

    // MARK: Issuers of answers

    @Test func `auth/iss-supported`() async throws { try await answered() }

    @Test func `auth/iss-not-advertised`() async throws {
        try await answered { options in
            options.sendsIssuer = false
            options.openID?.announcesIssuer = false
        }
    }

    @Test func `auth/iss-supported-missing`() async throws { try await refused(with: .answerRefused, { $0.sendsIssuer = false }) }

    @Test func `auth/iss-wrong-issuer`() async throws {
        try await refused(with: .answerRefused) { _ in
        } _: { server in
            server.inject(MockCallbackFault.values("iss", ["https://evil.example"]))
        }
    }

    @Test func `auth/iss-unexpected`() async throws {
        try await refused(with: .answerRefused, { $0.openID?.announcesIssuer = false }) { server in
            server.inject(MockCallbackFault.values("iss", ["https://evil.example"]))
        }
    }

    @Test func `auth/iss-normalized`() async throws {
        try await refused(with: .answerRefused) { _ in
        } _: { server in
            server.inject(MockCallbackFault.values("iss", [server.baseURL.absoluteString + "/"]))
        }
    }

    // MARK: Bound tokens

    @Test func `auth/dpop`() async throws {
        try await answered { options in
            var proof = MockProofOptions()
            proof.isRequired = true
            options.proof = proof
        } by: { (parameters: inout MCPAuthorizationParameters) in
            parameters.provesPossession = true
        } _: { (server, session) async throws in
            server.expireAccessTokens()
            #expect(try await call(server, session, "mcp") == 200)
            #expect(server.statistics.refreshes == 1)
        }
    }

    @Test func `auth/dpop-nonce`() async throws {
        let change: (inout MockOAuth2Options) -> Void = { options in
            var proof = MockProofOptions()
            proof.isRequired = true
            proof.wantsNonces = true
            options.proof = proof
        }
        try await run(User(), change) { (server, session) async throws in
            var parameters = try parameters(of: server)
            parameters.provesPossession = true
            session.register(MCPAuthorizationObserver(parameters: parameters))
            #expect(try await call(server, session, "mcp") == 200)
            #expect(server.statistics.refusals == ["use_dpop_nonce": 1])
        }
    }

    @Test func `the table marks each scenario with a test as passed, and no other`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appending(path: "Specs/ModelContextProtocol/ModelContextProtocol.docc/Conformance.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
            line.firstMatch(of: #/^\| `(auth/[^`]+)` \|.*\| (passed|not passed: .+) \|$/#).map { (String($0.1), String($0.2)) }
        }
        #expect(rows.count == 33)
        let tests = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8).matches(of: #/func `(auth/[^`]+)`/#)
            .map { String($0.1) }
        #expect(Set(rows.filter { $0.1 == "passed" }.map(\.0)) == Set(tests))
    }
}
