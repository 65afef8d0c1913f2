import Countersign
import Foundation
import HTTPTypes
import ModelContextProtocol
import Synchronization
import TestTurns
import Testing

/// The default fields of a session, where a resource names its authorization server.
@Suite(.takesTurns) struct NamedServerTests {
    /// A resource, and an authorization server on another host. It records each host that receives the key.
    private final class Servers: HTTPTransport {
        private struct State {
            var withKey: Set<String> = []
            var agents: [String?] = []
        }

        private let state = Mutex(State())

        var withKey: Set<String> { state.withLock(\.withKey) }
        var agents: [String?] { state.withLock(\.agents) }

        func send(_ request: SessionRequest) async throws -> SessionResponse {
            let url = try #require(request.head.url)
            let fields = request.head.headerFields
            state.withLock { state in
                if let name = HTTPField.Name("X-API-Key"), fields[name] != nil { state.withKey.insert(url.host() ?? "") }
                state.agents.append(fields[.userAgent])
            }
            var response = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
            var body = "{}"
            switch url.path() {
            case "/.well-known/oauth-protected-resource/mcp":
                body = #"{"resource":"https://tools.example/mcp","authorization_servers":["https://login.example"]}"#
            case "/.well-known/oauth-authorization-server":
                body = #"{"issuer":"https://login.example","token_endpoint":"https://login.example/token"}"#
            case "/token": body = #"{"access_token":"t","token_type":"Bearer","expires_in":60}"#
            default:
                if fields[.authorization] != "Bearer t" {
                    response.status = .unauthorized
                    response.headerFields[.wwwAuthenticate] = "Bearer"
                }
            }
            return SessionResponse(head: response, url: url, body: ResponseBody(bytes: Array(body.utf8)))
        }

        func shutdown() async throws {}
    }

    @Test(arguments: [true, false])
    func `an authorization server gets a default field with a key only if the application names it`(isNamed: Bool) async throws {
        let servers = Servers()
        var configuration = SessionConfiguration()
        configuration.defaultFields[.userAgent] = "agent"
        configuration.defaultFields[try #require(HTTPField.Name("X-API-Key"))] = "key"
        let session = Session(configuration: configuration, transport: servers)
        let issuer = try #require(URL(string: "https://login.example"))
        let issuers = try isNamed ? ProtectedOrigins([issuer]) : ProtectedOrigins.anywhere
        let server = try #require(URL(string: "https://tools.example/mcp"))
        session.register(
            MCPServiceObserver(
                parameters: MCPServiceParameters(
                    server: server, issuers: issuers, clientID: "agent", clientSecret: "s3cret")))
        let response = try await session.send(SessionRequest(HTTPRequest(url: server)))
        #expect(response.head.status == .ok)
        let expected: Set<String> = isNamed ? ["tools.example", "login.example"] : ["tools.example"]
        #expect(servers.withKey == expected)
        #expect(servers.agents.allSatisfy { $0 == "agent" })
        await session.invalidate(cancelling: true)
    }
}
