import ContainerRegistry
import Countersign
import CountersignAsyncHTTPClient
import CountersignDynamic
import CountersignSpec
import CountersignTesting
import Crypto
import FormLogin
import Foundation
import HTTPAuthentication
import HTTPTypes
import JWTBearer
import Keystone
import ModelContextProtocol
import OAuth
import OpenIDConnect
import Synchronization
import TestTurns
import Testing
import Transmission

/// A spec that is interpreted performs the same steps as the code that is generated from it.
@Suite(.takesTurns) struct BothWaysTests {
    /// The events of a session, in order.
    private final class Steps: SessionEventObserver {
        private let seen = Mutex<[String]>([])

        var all: [String] { seen.withLock { $0 } }

        func observe(_ event: SessionEvent) {
            let kind = if case .authenticated = event.kind { "authenticated" } else { "\(event.kind)" }
            seen.withLock { $0.append("\(event.observer ?? "-") \(kind)") }
        }
    }

    private static func dynamic(
        _ landscape: String, _ method: String, _ values: [String: [String]], prompter: (any ProgramPrompting)? = nil,
        store: (any CredentialStore)? = nil
    ) throws -> any SessionObserver {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Specs/\(landscape)").path(percentEncoded: false)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
        let (sources, unreadable) = SpecSources.load(own: files.map { "\(folder)/\($0)" })
        let found = try DynamicLandscape(sources, unreadable: unreadable).method(named: method)
        let filled = try found.filled(try found.variant(named: nil), with: GivenValues(parameters: values))
        return ManagedObserver(filled, prompter: prompter, store: store)
    }

    /// Returns the events of a request, of another one after the credential was invalidated, and of a logout.
    private static func steps(
        of observer: any SessionObserver, earlier: [any SessionObserver] = [], at url: URL, spoil: () -> Void
    ) async throws -> [String] {
        let steps = Steps()
        var configuration = SessionConfiguration()
        configuration.eventObservers = [steps]
        configuration.presenter = FormFillingPresenter(values: ["j_username": "alice", "j_password": "wonderland"])
        let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
        for observer in earlier + [observer] { session.register(observer) }
        do {
            for _ in 0..<2 {
                #expect(try await status(SessionRequest(HTTPRequest(url: url)), session) == 200)
                spoil()
            }
            try await session.logOut()
        } catch {
            Issue.record(error)
        }
        await session.invalidate(cancelling: true)
        return steps.all
    }

    private static func expectSame(
        _ generated: any SessionObserver, _ dynamic: any SessionObserver, earlier: () -> [any SessionObserver] = { [] },
        at url: URL,
        spoil: () -> Void
    ) async throws {
        spoil()
        let one = try await steps(of: generated, earlier: earlier(), at: url, spoil: spoil)
        spoil()
        let other = try await steps(of: dynamic, earlier: earlier(), at: url, spoil: spoil)
        #expect(one == other)
        #expect(one.contains { $0.hasSuffix("authenticated") })
    }

    private struct Person: Transmission.HTTPBasicPrompting, HTTPDigestPrompting, ProgramPrompting {
        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            ("alice", "wonderland")
        }

        func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
            [.text("alice"), .secret("wonderland")]
        }
    }

    @Test func `Keystone with a second factor`() async throws {
        try await MockKeystone.run { mock in
            let parameters = KeystonePasswordParameters(
                identityURL: mock.identityURL, cloud: [mock.url], user: "mfa", password: "wonderland",
                totpSecret: MockKeystone.totpSecret)
            let dynamic = try Self.dynamic(
                "Keystone", "KeystonePassword",
                [
                    "identityURL": [mock.identityURL.absoluteString], "cloud": [mock.url.absoluteString], "user": ["mfa"],
                    "password": ["wonderland"], "totpSecret": [MockKeystone.totpSecret],
                ])
            try await Self.expectSame(
                KeystonePasswordObserver(parameters: parameters), dynamic, at: mock.url.appending(path: "servers")
            ) { mock.forgetTokens() }
        }
    }

    @Test func `a server of the Model Context Protocol whose challenges lack a field`() async throws {
        var options = ModelContextProtocolTests.options
        options.challenge = .response(.init(status: 401, fields: [:]))
        options.clients.append(MockOAuth2Client(id: "reports", secret: "s3cret", grants: [.clientCredentials]))
        try await MockAuthorizationServer.run(options: options) { server in
            let resource = server.baseURL.appending(path: "mcp")
            let parameters = MCPServiceParameters(
                server: resource, issuers: [server.baseURL], clientID: "reports", clientSecret: "s3cret")
            let dynamic = try Self.dynamic(
                "ModelContextProtocol", "MCPService",
                [
                    "server": [resource.absoluteString], "issuers": [server.baseURL.absoluteString], "clientID": ["reports"],
                    "clientSecret": ["s3cret"],
                ])
            try await Self.expectSame(MCPServiceObserver(parameters: parameters), dynamic, at: resource) {
                server.expireAccessTokens()
            }
        }
    }

    @Test func `an OpenID provider, with documents and a token that is verified`() async throws {
        var options = MockOAuth2Options()
        options.openID = MockOpenIDOptions()
        options.scopes = ["openid", "read"]
        try await MockAuthorizationServer.run(options: options) { server in
            let (url, redirect) = (server.baseURL, "http://127.0.0.1/callback")
            let parameters = OpenIDLoginParameters(
                apis: [url], issuer: url, clientID: "app", redirectURL: try #require(URL(string: redirect)))
            let dynamic = try Self.dynamic(
                "OpenIDConnect", "OpenIDLogin",
                ["apis": [url.absoluteString], "issuer": [url.absoluteString], "clientID": ["app"], "redirectURL": [redirect]])
            try await Self.expectSame(OpenIDLoginObserver(parameters: parameters), dynamic, at: url.appending(path: "data")) {
                server.expireAccessTokens()
            }
        }
    }

    @Test func `a container registry`() async throws {
        try await MockRegistry.run(users: ["alice": "wonderland"]) { mock in
            let parameters = RegistryTokenParameters(
                registries: [mock.url], tokenServers: [mock.tokenServer], user: "alice", password: "wonderland")
            let dynamic = try Self.dynamic(
                "ContainerRegistry", "RegistryToken",
                [
                    "registries": [mock.url.absoluteString], "tokenServers": [mock.tokenServer.absoluteString], "user": ["alice"],
                    "password": ["wonderland"],
                ])
            try await Self.expectSame(
                RegistryTokenObserver(parameters: parameters), dynamic, at: mock.url.appending(path: "v2/alice/demo/tags/list")
            ) { mock.forgetTokens() }
        }
    }

    @Test func `a form, behind a redirect`() async throws {
        try await MockFormLogin.run { mock in
            let parameters = FormLoginParameters(loginURL: mock.loginURL, user: "alice", password: "wonderland")
            let dynamic = try Self.dynamic(
                "FormLogin", "FormLogin",
                ["loginURL": [mock.loginURL.absoluteString], "user": ["alice"], "password": ["wonderland"]])
            try await Self.expectSame(FormLoginObserver(parameters: parameters), dynamic, at: mock.url.appending(path: "data")) {
                mock.forgetSessions()
            }
        }
    }

    @Test func `HTTP Digest, whose password is typed`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let dynamic = try Self.dynamic(
                "HTTPAuthentication", "HTTPDigest", ["servers": [mock.url.absoluteString]], prompter: Person())
            try await Self.expectSame(
                HTTPDigestObserver(parameters: HTTPDigestParameters(servers: [mock.url]), prompting: Person()), dynamic,
                at: mock.url.appending(path: "data")
            ) {}
        }
    }

    @Test func `the session id of Transmission, behind Basic`() async throws {
        try await MockTransmission.run(users: ["alice": "wonderland"]) { mock in
            let dynamic = try Self.dynamic("Transmission", "TransmissionSession", ["server": [mock.url.absoluteString]])
            try await Self.expectSame(
                TransmissionSessionObserver(parameters: TransmissionSessionParameters(server: [mock.url])), dynamic,
                earlier: {
                    [
                        Transmission.HTTPBasicObserver(
                            parameters: Transmission.HTTPBasicParameters(servers: [mock.url]), prompting: Person())
                    ]
                }, at: mock.url
            ) { mock.changeSession() }
        }
    }

    @Test func `client credentials`() async throws {
        try await MockAuthorizationServer.run { server in
            let client = MockOAuth2Client.service
            let parameters = ClientCredentialsParameters(
                apis: [server.baseURL], tokenURL: server.tokenEndpoint, clientID: client.id, clientSecret: client.secret ?? "")
            let dynamic = try Self.dynamic(
                "OAuth", "ClientCredentials",
                [
                    "apis": [server.baseURL.absoluteString], "tokenURL": [server.tokenEndpoint.absoluteString],
                    "clientID": [client.id], "clientSecret": [client.secret ?? ""],
                ])
            try await Self.expectSame(
                ClientCredentialsObserver(parameters: parameters), dynamic, at: server.baseURL.appending(path: "notes")
            ) { server.endAllSessions() }
        }
    }

    @Test func `signed assertions`() async throws {
        let key = P256.Signing.PrivateKey()
        var options = MockOAuth2Options()
        options.clients.append(MockOAuth2Client(id: "reports", grants: [.jwtBearer], key: key.publicKey.pemRepresentation))
        try await MockAuthorizationServer.run(options: options) { server in
            let parameters = JWTBearerParameters(
                apis: [server.baseURL], tokenURL: server.tokenEndpoint, assertionIssuer: "reports", subject: "alice",
                key: key.pemRepresentation)
            let dynamic = try Self.dynamic(
                "JWTBearer", "JWTBearer",
                [
                    "apis": [server.baseURL.absoluteString], "tokenURL": [server.tokenEndpoint.absoluteString],
                    "assertionIssuer": ["reports"], "subject": ["alice"], "key": [key.pemRepresentation],
                ])
            try await Self.expectSame(
                JWTBearerObserver(parameters: parameters), dynamic, at: server.baseURL.appending(path: "notes")
            ) { server.endAllSessions() }
            #expect(server.statistics.tokenAnswers == [.jwtBearer: 4] && server.statistics.refusals.isEmpty)
        }
    }

    // MARK: Values

    @Test func `a value that is missing, unknown or none of its type is said by its name`() throws {
        func problem(_ values: [String: [String]]) -> String? {
            do {
                _ = try Self.dynamic("OAuth", "ClientCredentials", values)
                return nil
            } catch { return "\(error)" }
        }
        let whole = [
            "apis": ["https://a.example"], "tokenURL": ["https://t.example"], "clientID": ["a"], "clientSecret": ["hunter2"],
        ]
        #expect(problem(whole) == nil)
        #expect(problem(whole.merging(["tokenURL": []]) { $1 }) == "the parameter 'tokenURL' is not a single value")
        #expect(problem(whole.merging(["tokenURL": ["token"]]) { $1 }) == "the parameter 'tokenURL' is not an absolute URL")
        #expect(
            problem(whole.merging(["apis": ["a.example"]]) { $1 })
                == "the parameter 'apis' is not a list of servers, such as https://api.example")
        #expect(
            problem(whole.merging(["scope": ["x"]]) { $1 })?.hasPrefix("there is no parameter 'scope'; there are: apis,") == true)
        #expect(problem(whole.merging(["clientAuthentication": ["client_secret_post"]]) { $1 }) == nil)
        #expect(
            problem(whole.merging(["clientAuthentication": ["client_secret_jwt"]]) { $1 })
                == "the parameter 'clientAuthentication' is not one of 'client_secret_basic', 'client_secret_post', 'raw_basic'")
        var lacking = whole
        lacking["clientSecret"] = nil
        #expect(problem(lacking) == "the parameter 'clientSecret' has no value: The client secret.")
    }

    @Test func `a secret is in no description of a problem`() throws {
        do {
            _ = try Self.dynamic("OAuth", "ClientCredentials", ["clientSecret": ["hunter2", "hunter3"]])
            Issue.record("it was taken")
        } catch {
            #expect(!"\(error)".contains("hunter"))
        }
    }
}
