import Countersign
import Foundation
import HTTPTypes
import SAPMobileServices
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Servers at any origins, implemented by a closure, and a session that reaches no others.
final class ScriptedServers: HTTPTransport {
    /// Three origins for tests.
    static let (api, other, login) = ("https://api.example", "https://other.example", "https://login.example")

    /// A request as it arrived.
    struct Sent: Sendable {
        let url: URL
        let fields: HTTPFields
        let identity: ConnectionIdentity?

        /// Scheme, host and port.
        var origin: String { Origin(url)?.description ?? "none" }
        var path: String { url.path(percentEncoded: true) }
        subscript(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
    }

    /// The response of a server.
    struct Answer: Sendable {
        let status: Int
        var fields: [String: String] = [:]
        var text = ""

        static let data = Answer(status: 200, text: "data")
        static let bearer = Answer(status: 401, fields: ["WWW-Authenticate": "Bearer"])
        static let basic = Answer(status: 401, fields: ["WWW-Authenticate": "Basic realm=\"r\""])
        static func redirect(to url: String) -> Answer { Answer(status: 302, fields: ["Location": url]) }
        static func token(_ token: String) -> Answer {
            Answer(
                status: 200, fields: ["Content-Type": "application/json"],
                text: "{\"access_token\": \"\(token)\", \"token_type\": \"Bearer\", \"expires_in\": 3600}")
        }
    }

    /// An event that concerns an origin.
    struct Event: Sendable, Equatable {
        let kind: SessionEvent.Kind
        let origin: String?
    }

    private final class Events: SessionEventObserver {
        let all = Mutex<[Event]>([])
        func observe(_ event: SessionEvent) {
            all.withLock { $0.append(Event(kind: event.kind, origin: event.origin?.description)) }
        }
    }

    private let script: @Sendable (Sent) throws -> Answer
    private let log = Mutex<[Sent]>([])
    private let events = Events()

    init(_ script: @escaping @Sendable (Sent) throws -> Answer) { self.script = script }

    /// The requests that have arrived.
    var sent: [Sent] { log.withLock { $0 } }
    /// Returns the requests that have arrived at an origin.
    func sent(to origin: String) -> [Sent] { sent.filter { $0.origin == origin } }
    /// The origins that received no credential, according to the session's events.
    var withheld: [String] { events.all.withLock { $0 }.filter { $0.kind == .withheld }.compactMap(\.origin) }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        let url = try #require(request.head.url)
        let sent = Sent(url: url, fields: request.head.headerFields, identity: request.identity)
        log.withLock { $0.append(sent) }
        let answer = try script(sent)
        var head = HTTPResponse(status: .init(code: answer.status))
        for (name, value) in answer.fields { head.headerFields[try #require(HTTPField.Name(name))] = value }
        return SessionResponse(head: head, url: url, body: ResponseBody(bytes: Array(answer.text.utf8)))
    }

    func shutdown() async throws {}

    /// Makes a session that sends its requests to these servers.
    func session() -> SAPURLSession {
        var configuration = SAPURLSession.Configuration()
        configuration.session.eventObservers = [events]
        return SAPURLSession(configuration: configuration, transport: self, ownsTransport: false)
    }
}

extension SAPURLSession {
    /// Returns the status code of the final response.
    func status(_ url: String) async throws -> Int? {
        (try await data(from: try #require(URL(string: url))).1 as? HTTPURLResponse)?.statusCode
    }
}

// MARK: - Tokens

extension ScriptedServers {
    /// Makes servers that each issue tokens at `/token`, redirect at `/there` and `/here`, and require the token elsewhere.
    static func withTokens() -> ScriptedServers {
        ScriptedServers { sent in
            if sent.path.hasSuffix("/token") { return .token("t") }
            if sent.path == "/there" { return .redirect(to: "\(Self.other)/data") }
            if sent.path == "/here" { return .redirect(to: "\(Self.api)/data") }
            return sent["Authorization"] == "Bearer t" ? .data : .bearer
        }
    }

    /// Parameters whose settings name the server `api`.
    static var parameters: OAuth2ClientCredentialsAuthenticationParameters {
        get throws {
            let settings = SAPcpmsSettingsParameters(
                backendURL: try #require(URL(string: api)), applicationID: "com.example.app")
            return try OAuth2ClientCredentialsAuthenticationParameters(settingsParameters: settings, name: "n", secret: "s")
        }
    }

    /// Makes an observer whose token requests are sent to these servers, too.
    func tokenObserver(
        _ parameters: OAuth2ClientCredentialsAuthenticationParameters, keepingIn store: any OAuth2TokenStore = MemoryTokenStore(),
        protecting protectedURLs: ProtectedOrigins? = nil
    ) -> OAuth2Observer {
        let authenticator = OAuth2Authenticator(clientCredentialsAuthenticationParameters: parameters, sapURLSession: session())
        return OAuth2Observer(authenticator: authenticator, tokenStore: store, protectedURLs: protectedURLs)
    }
}

/// An application's own implementation of the authentication.
final class OwnToken: OAuth2Authentication {
    func authenticate(completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) {
        completionHandler(OAuth2Token(accessToken: "t", tokenType: "Bearer"), nil)
    }
    func refresh(token: OAuth2Token, completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) {
        completionHandler(OAuth2Token(accessToken: "t", tokenType: "Bearer"), nil)
    }
    func cancelAuthentication() {}
}
