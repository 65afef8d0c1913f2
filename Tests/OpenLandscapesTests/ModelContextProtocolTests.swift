import Countersign
import CountersignAsyncHTTPClient
import Crypto
import Foundation
import HTTPAuthentication
import HTTPTypes
import ModelContextProtocol
import Synchronization
import TestTurns
import Testing

@testable import CountersignTesting

/// The generated client of the Model Context Protocol, on sockets.
@Suite(.takesTurns) struct ModelContextProtocolTests: OpenIDBench {
    static var options: MockOAuth2Options {
        var options = MockOAuth2Options()
        var provider = MockOpenIDOptions()
        provider.metadataPath = "/.well-known/oauth-authorization-server"
        provider.registrationPath = "/register"
        options.openID = provider
        options.protectedResource = MockProtectedResourceOptions()
        options.scopes = ["read", "write"]
        options.requiredScopes = ["/mcp": "read", "/mcp/write": "write", "/mcp/admin": "admin"]
        return options
    }

    private func observer(
        _ server: MockAuthorizationServer, clientID: String? = nil, store: (any CredentialStore)? = nil
    ) throws -> MCPAuthorizationObserver {
        MCPAuthorizationObserver(
            parameters: MCPAuthorizationParameters(
                server: server.baseURL.appending(path: "mcp"), issuers: [server.baseURL],
                redirectURL: try #require(URL(string: "http://127.0.0.1/callback")), clientID: clientID), store: store)
    }

    private func call(_ server: MockAuthorizationServer, _ session: Session, _ path: String = "mcp") async throws -> Int {
        try await status(SessionRequest(HTTPRequest(url: server.baseURL.appending(path: path))), session)
    }

    @Test func `from nothing but an address: metadata, a registration, a login, for a hundred requests`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(try observer(server))
            server.hold(.prefix("/mcp"), until: 100)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await call(server, session) } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(user.count == 1)
            #expect(server.statistics.registrations == 1)
            #expect(server.statistics.publications == 2)
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
            #expect(server.statistics.refusals.isEmpty)
        }
    }

    @Test func `a token is renewed for the same resource and client`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(try observer(server))
            for _ in 0..<3 {
                #expect(try await call(server, session) == 200)
                server.expireAccessTokens()
            }
            #expect(user.count == 1)
            #expect(server.statistics.refreshes == 2)
            #expect(server.statistics.registrations == 1)
        }
    }

    @Test func `with issuers anywhere, the server alone says where users log in`() async throws {
        try await run { (server, session) async throws in
            session.register(
                MCPAuthorizationObserver(
                    parameters: MCPAuthorizationParameters(
                        server: server.baseURL.appending(path: "mcp"), issuers: .anywhere,
                        redirectURL: try #require(URL(string: "http://127.0.0.1/callback")))))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.registrations == 1)
        }
    }

    @Test func `a challenge that says nothing of metadata leads to the well-known address`() async throws {
        try await run {
            $0.protectedResource?.namesMetadata = false
        } _: { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
        }
    }

    @Test func `metadata at an address that challenges alone name are no obstacle to a renewal`() async throws {
        let user = User()
        try await run(user) {
            $0.protectedResource?.metadataPath = "/about"
        } _: { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(user.count == 1)
            #expect(server.statistics.refreshes == 1)
            try await session.logOut()
            #expect(server.statistics.revocations == 2)
        }
    }

    @Test func `metadata at the root of the server are found`() async throws {
        try await run {
            $0.protectedResource?.metadataPath = "/.well-known/oauth-protected-resource"
            $0.protectedResource?.namesMetadata = false
        } _: { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
        }
    }

    @Test(arguments: [nil, "/.well-known/oauth-protected-resource"])
    func `a response without a scheme leads to the well-known address, also when a token has expired`(path: String?)
        async throws
    {
        let user = User()
        try await run(user) { options in
            options.challenge = .response(.init(status: 401, fields: [:]))
            if let path { options.protectedResource?.metadataPath = path }
        } _: { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(user.count == 1)
            #expect(server.statistics.refreshes == 1)
        }
    }

    @Test func `a service answers a response without a scheme, too`() async throws {
        try await run {
            $0.challenge = .response(.init(status: 401, fields: [:]))
            $0.clients.append(MockOAuth2Client(id: "reports", secret: "s3cret", grants: [.clientCredentials]))
        } _: { (server, session) async throws in
            session.register(
                MCPServiceObserver(
                    parameters: MCPServiceParameters(
                        server: server.baseURL.appending(path: "mcp"), issuers: [server.baseURL], clientID: "reports",
                        clientSecret: "s3cret")))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.tokenAnswers == [.clientCredentials: 1])
        }
    }

    /// Gives one user name and password.
    private struct Alice: HTTPBasicPrompting {
        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            ("alice", "wonderland")
        }
    }

    @Test(arguments: [false, true])
    func `a resource with HTTP Basic at the origin of the server gets no token and no login`(hasBasic: Bool) async throws {
        let tokens = Mutex(0)
        let (server, url) = try await MockServer.start { port in
            (
                URL(string: "http://127.0.0.1:\(port)"),
                { request in
                    let authorization = request.fields[.authorization]
                    if authorization?.hasPrefix("Bearer") == true { tokens.withLock { $0 += 1 } }
                    if request.path == "/notes", authorization == "Basic YWxpY2U6d29uZGVybGFuZA==" {
                        return .text("notes", status: .ok)
                    }
                    var response = MockResponse.text("no access", status: .unauthorized)
                    if request.path == "/notes" { response.fields[.wwwAuthenticate] = #"Basic realm="notes""# }
                    return response
                }
            )
        }
        let user = User()
        await withSession(presenter: user) { (session) async throws in
            let url = try #require(url)
            session.register(
                MCPAuthorizationObserver(
                    parameters: MCPAuthorizationParameters(
                        server: url.appending(path: "mcp"), issuers: [url],
                        redirectURL: try #require(URL(string: "http://127.0.0.1/callback")))))
            if hasBasic {
                session.register(HTTPBasicObserver(parameters: HTTPBasicParameters(servers: [url]), prompting: Alice()))
            }
            let notes = SessionRequest(HTTPRequest(url: url.appending(path: "notes")))
            #expect(try await status(notes, session) == (hasBasic ? 200 : 401))
            // Without a scheme it is the method's challenge, but this server has no metadata.
            let other = SessionRequest(HTTPRequest(url: url.appending(path: "mcp")))
            #expect(await code { try await status(other, session) } == .unexpectedAnswer)
        }
        #expect(user.count == 0)
        #expect(tokens.withLock { $0 } == 0)
        await server.stop()
    }

    @Test func `a challenge of another scheme is not one of the protocol`() async throws {
        try await run {
            $0.challenge = .response(.init(status: 401, fields: ["WWW-Authenticate": #"Basic realm="notes""#]))
        } _: { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 401)
            #expect(server.statistics.authorizationRequests == 0)
        }
    }

    @Test func `a token goes back to the server that gave it, whatever the metadata say by then`() async throws {
        let store = MemoryCredentialStore()
        try await run { (server, session) async throws in
            session.register(try observer(server, store: store))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            await withSession { next in
                next.register(try observer(server, store: store))
                server.inject(.resource(["authorization_servers": #"["https://evil.example"]"#]), times: .max)
                #expect(try await call(server, next) == 200)
                #expect(server.statistics.refreshes == 1)
            }
        }
    }

    @Test func `a renewal has the client secret of the application, not the one of the stored login`() async throws {
        let user = User()
        let store = MemoryCredentialStore()
        try await run(user) {
            $0.clients.append(MockOAuth2Client(id: "tool", secret: "s3cret", redirectURIs: ["http://127.0.0.1/callback"]))
        } _: { (server, session) async throws in
            func observer(secret: String) throws -> MCPAuthorizationObserver {
                MCPAuthorizationObserver(
                    parameters: MCPAuthorizationParameters(
                        server: server.baseURL.appending(path: "mcp"), issuers: [server.baseURL],
                        redirectURL: try #require(URL(string: "http://127.0.0.1/callback")), clientID: "tool", clientSecret: secret),
                    store: store)
            }
            session.register(try observer(secret: "s3cret"))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            await withSession(presenter: user) { next in
                next.register(try observer(secret: "another"))
                // The server does not know this one.
                _ = await code { try await call(server, next) }
            }
            #expect(server.statistics.refreshes == 0)
            #expect(server.statistics.refusals["invalid_client"] != nil)
        }
    }

    @Test(arguments: ["https://evil.example", "http://a.example", "not a URL", "{server}/none", "{server}/none,{server}/nothing"])
    func `of several authorization servers, the first that is allowed and has metadata is used`(others: String) async throws {
        try await run { (server, session) async throws in
            let names = others.replacing("{server}", with: server.baseURL.absoluteString).components(separatedBy: ",")
            let list = try JSONEncoder().encode(names + [server.baseURL.absoluteString])
            server.inject(.resource(["authorization_servers": String(decoding: list, as: UTF8.self)]), times: .max)
            session.register(try observer(server))
            for _ in 0..<2 {
                #expect(try await call(server, session) == 200)
                server.expireAccessTokens()
            }
            #expect(server.statistics.registrations == 1 && server.statistics.refreshes == 1)
        }
    }

    @Test func `of several authorization servers without metadata none is used, and not all of many are asked`() async throws {
        try await run { (server, session) async throws in
            let names = (0..<20).map { "\(server.baseURL.absoluteString)/\($0)" } + [server.baseURL.absoluteString]
            let list = try JSONEncoder().encode(names)
            server.inject(.resource(["authorization_servers": String(decoding: list, as: UTF8.self)]), times: .max)
            session.register(try observer(server))
            #expect(await code { try await call(server, session) } == .unexpectedAnswer)
            #expect(server.statistics.registrations == 0)
        }
    }

    @Test func `a client that the server has forgotten is registered anew`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            server.inject(.error("invalid_client", status: 401), for: .refreshToken)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 2)
            #expect(server.statistics.registrations == 2)
        }
    }

    @Test func `scopes that the server does not repeat are those that were asked for`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(try observer(server))
            server.inject(.members(["scope": nil]), for: .authorizationCode, times: .max)
            #expect(try await call(server, session) == 200)
            #expect(try await call(server, session, "mcp/write") == 200)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 2)
        }
    }

    @Test func `of many that want more the user is asked once, also where that comes to nothing`() async throws {
        let user = User(patience: 1)
        try await run(user) { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
            server.hold(.path("/mcp/write"), until: 20)
            try await withThrowingTaskGroup(of: CountersignError.Code?.self) { group in
                for _ in 0..<20 {
                    group.addTask { await code { try await call(server, session, "mcp/write") } }
                }
                for try await code in group { #expect(code == .cancelled) }
            }
            #expect(user.count == 2)
            #expect(try await call(server, session) == 200)
        }
    }

    @Test(arguments: ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"])
    func `the authorization server is looked for in each place`(path: String) async throws {
        try await run {
            $0.openID?.metadataPath = path
        } _: { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
        }
    }

    @Test func `a client that the application names is not registered`() async throws {
        try await run {
            $0.openID?.registrationPath = nil
        } _: { (server, session) async throws in
            session.register(try observer(server, clientID: "app"))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.registrations == 0)
        }
    }

    @Test func `a missing scope is asked for beside those that were granted, by the same client`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
            #expect(try await call(server, session, "mcp/write") == 200)
            #expect(user.count == 2)
            #expect(server.statistics.scopeRefusals == 1)
            #expect(server.statistics.registrations == 1)
            // The new token has both scopes.
            #expect(try await call(server, session) == 200)
            #expect(try await call(server, session, "mcp/write") == 200)
            #expect(user.count == 2)
        }
    }

    @Test func `a request that begins with nothing gets what it needs by two logins`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session, "mcp/write") == 200)
            #expect(user.count == 2)
        }
    }

    @Test func `a user who declines a further scope keeps the present token`() async throws {
        let user = User(patience: 1)
        try await run(user) { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
            #expect(await code { try await call(server, session, "mcp/write") } == .cancelled)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 2)
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `a scope that the server does not give ends one request, and no other`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
            #expect(await code { try await call(server, session, "mcp/admin") } == .refusedByServer)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 2)
        }
    }

    @Test func `without a client, and without registration, there is no login`() async throws {
        try await run {
            $0.openID?.registrationPath = nil
        } _: { (server, session) async throws in
            session.register(try observer(server))
            #expect(await code { try await call(server, session) } == .unexpectedAnswer)
            #expect(server.statistics.authorizationRequests == 0)
        }
    }

    @Test func `an authorization server is the same with a slash that its own metadata lack`() async throws {
        try await run { (server, session) async throws in
            session.register(try observer(server))
            server.inject(.resource(["authorization_servers": #"["\#(server.baseURL.absoluteString)/"]"#]))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.registrations == 1)
            #expect(server.statistics.refusals.isEmpty)
        }
    }

    // MARK: Servers that lie

    struct Lie: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fault: MockPublicationFault
        let code: CountersignError.Code

        static func resource(_ name: String, _ member: String, _ json: String?, _ code: CountersignError.Code) -> Lie {
            Lie(testDescription: name, fault: .resource([member: json]), code: code)
        }

        static func server(_ name: String, _ member: String, _ json: String?, _ code: CountersignError.Code) -> Lie {
            Lie(testDescription: name, fault: .metadata([member: json]), code: code)
        }
    }

    static let lies: [Lie] = [
        .resource("metadata of another resource", "resource", #""https://evil.example/mcp""#, .unexpectedAnswer),
        .resource("metadata of no resource", "resource", nil, .unexpectedAnswer),
        .resource(
            "an authorization server elsewhere", "authorization_servers", #"["https://evil.example"]"#, .addressRefused),
        .resource("no authorization server", "authorization_servers", "[]", .unexpectedAnswer),
        .resource("an authorization server without encryption", "authorization_servers", #"["http://a.example"]"#, .addressRefused),
        .server("another issuer", "issuer", #""https://evil.example""#, .unexpectedAnswer),
        .server("no PKCE", "code_challenge_methods_supported", nil, .unexpectedAnswer),
        .server("PKCE without a hash", "code_challenge_methods_supported", #"["plain"]"#, .unexpectedAnswer),
        .server("PKCE as a text", "code_challenge_methods_supported", #""S256""#, .unexpectedAnswer),
        .server("a registration elsewhere", "registration_endpoint", #""https://evil.example/register""#, .addressRefused),
        .server("tokens from elsewhere", "token_endpoint", #""https://evil.example/token""#, .addressRefused),
        .server("a page elsewhere", "authorization_endpoint", #""https://evil.example/login""#, .addressRefused),
    ]

    @Test(arguments: lies) func `a lie ends the login with an error, and nothing of it is kept`(lie: Lie) async throws {
        try await run { (server, session) async throws in
            session.register(try observer(server))
            server.inject(lie.fault)
            #expect(await code { try await call(server, session) } == lie.code)
            #expect(server.statistics.authorizations == 0)
            server.removeFaults()
            #expect(try await call(server, session) == 200)
        }
    }

    @Test func `a challenge that leads to another server is refused`() async throws {
        try await run {
            $0.challenge = .response(
                .init(
                    status: 401,
                    fields: ["WWW-Authenticate": #"Bearer resource_metadata="https://evil.example/metadata""#]))
        } _: { (server, session) async throws in
            session.register(try observer(server))
            #expect(await code { try await call(server, session) } == .addressRefused)
            #expect(server.statistics.authorizationRequests == 0)
        }
    }

    // MARK: Clients

    @Test(arguments: [true, false])
    func `a client whose metadata the server reads is registered nowhere, and at others it is`(isRead: Bool) async throws {
        let metadata = try #require(URL(string: "https://tools.example/client.json"))
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.openID?.announcesClientMetadata = isRead
            options.clients.append(
                MockOAuth2Client(id: metadata.absoluteString, redirectURIs: ["http://127.0.0.1/callback"]))
        }
        try await run(User(), change) { (server, session) async throws in
            var parameters = MCPAuthorizationParameters(
                server: server.baseURL.appending(path: "mcp"), issuers: [server.baseURL],
                redirectURL: try #require(URL(string: "http://127.0.0.1/callback")))
            parameters.clientMetadataURL = metadata
            session.register(MCPAuthorizationObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.registrations == (isRead ? 0 : 1))
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.refreshes == 1)
        }
    }

    private static let key = P256.Signing.PrivateKey()

    @Test(arguments: [false, true]) func `a service asks for itself, with a secret or a key`(hasKey: Bool) async throws {
        let user = User()
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.clients += [
                MockOAuth2Client(id: "reports", secret: "s3cret", grants: [.clientCredentials]),
                MockOAuth2Client(id: "keyed", grants: [.clientCredentials], key: Self.key.publicKey.pemRepresentation),
            ]
        }
        try await run(user, change) { (server, session) async throws in
            session.register(
                MCPServiceObserver(
                    parameters: MCPServiceParameters(
                        server: server.baseURL.appending(path: "mcp"), issuers: [server.baseURL],
                        clientID: hasKey ? "keyed" : "reports", clientSecret: hasKey ? nil : "s3cret",
                        clientKey: hasKey ? Self.key.pemRepresentation : nil)))
            server.hold(.prefix("/mcp"), until: 100)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await call(server, session) } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(server.statistics.tokenAnswers == [.clientCredentials: 1])
            // Another scope in addition to the first.
            #expect(try await call(server, session, "mcp/write") == 200)
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.tokenAnswers == [.clientCredentials: 2])
            // A scope that is not granted causes an error, and the token stays.
            #expect(await code { try await call(server, session, "mcp/admin") } == .refusedByServer)
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.tokenAnswers == [.clientCredentials: 2])
            #expect(user.count == 0)
        }
    }

    @Test func `the token of a service that has expired is replaced by what the challenge says`() async throws {
        let clock = ForwardClock()
        var options = Self.options
        // Only a challenge names the address of the metadata.
        options.protectedResource?.metadataPath = "/about"
        options.accessTokenLifetime = .seconds(600)
        options.clients.append(MockOAuth2Client(id: "reports", secret: "s3cret", grants: [.clientCredentials]))
        try await MockAuthorizationServer.run(options: options) { (server) async throws in
            var configuration = SessionConfiguration()
            configuration.clock = clock
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
            session.register(
                MCPServiceObserver(
                    parameters: MCPServiceParameters(
                        server: server.baseURL.appending(path: "mcp"), issuers: [server.baseURL], clientID: "reports",
                        clientSecret: "s3cret")))
            #expect(try await call(server, session) == 200)
            clock.advance(by: .seconds(601))
            server.advance(by: .seconds(601))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.tokenAnswers == [.clientCredentials: 2])
            await session.invalidate(cancelling: true)
        }
    }

    @Test func `a wrong secret of a service is sent once`() async throws {
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.clients.append(MockOAuth2Client(id: "reports", secret: "s3cret", grants: [.clientCredentials]))
        }
        try await run(User(), change) { (server, session) async throws in
            session.register(
                MCPServiceObserver(
                    parameters: MCPServiceParameters(
                        server: server.baseURL.appending(path: "mcp"), issuers: [server.baseURL], clientID: "reports",
                        clientSecret: "wrong")))
            for _ in 0..<3 { #expect(await code { try await call(server, session) } == .refusedByServer) }
            #expect(server.statistics.refusals == ["invalid_client": 1])
        }
    }
}
