import Foundation
import HTTPTypes
import Synchronization
import Testing

@_spi(Generated) @testable import Countersign

/// Challenges that differ from other responses only in the beginning of the body, for the methods that log in by themselves.
@Suite(.timeLimit(.minutes(10))) struct `Challenges by the body of a response` {
    /// The text in the challenging page.
    private static let text = "Please sign in"

    private static let challenge = ChallengePattern("sign-in-page", statuses: [200], text: .contains(ProgramTemplate(.text(text))))

    private static func page(_ text: String) -> Reply { Reply(200, body: ResponseBody(bytes: Array(text.utf8))) }

    // MARK: Session cookies

    /// A method like that of other tests, with another challenge.
    private static let login = LoginMethod.login(challenges: [challenge])

    /// Sends a request to a server that answers `page` to all requests without a session.
    private func answer(
        _ page: String, of server: LoginServer = LoginServer(), asking observer: (LoginServer) throws -> LoginObserver
    ) async throws -> (text: String, sends: Int, logins: Int) {
        let transport = ScriptedTransport { sent in server.knows(sent) ? .text("data") : Self.page(page) }
        let session = Session(configuration: .test(presenter: server.presenter()), transport: transport)
        session.register(try observer(server))
        let response = try await session.send(.to("https://app.example/data"))
        return (try await response.text(), transport.sent.count, server.session)
    }

    @Test func `a page that asks for a login is answered by one, and the request is sent again`() async throws {
        let answer = try await answer("<html><body>\(Self.text)</body></html>") { try $0.observer(Self.login) }
        #expect(answer == ("data", 2, 1))
    }

    @Test func `a page with another text is the answer, and arrives whole`() async throws {
        let page = "<html>" + String(repeating: "x", count: 3 * ExchangeContext.maximumBodyPrefixSize) + "</html>"
        let answer = try await answer(page) { try $0.observer(Self.login) }
        #expect(answer == (page, 1, 0))
    }

    @Test func `a text behind the beginning of the body is no challenge`() async throws {
        let page = String(repeating: "x", count: ExchangeContext.maximumBodyPrefixSize) + Self.text
        let answer = try await answer(page) { try $0.observer(Self.login) }
        #expect(answer == (page, 1, 0))
    }

    @Test func `an application's own comparison reads no body`() async throws {
        let prefixes = Mutex<[[UInt8]?]>([])
        let answer = try await answer(Self.text) { server in
            LoginObserver(
                name: "LoginObserver",
                authenticator: LoginAuthenticator(method: Self.login, parameters: try server.parameters()),
                isChallenge: { _, exchange in
                    prefixes.withLock { $0.append(exchange.bodyPrefix) }
                    return false
                })
        }
        #expect(answer == (Self.text, 1, 0))
        #expect(prefixes.withLock { $0 } == [nil])
    }

    // MARK: Tokens

    private struct Tokens: ProgramParameters {
        static let program = MethodProgram(
            name: "Tokens", summary: "A method with tokens.", slots: [], challenges: [challenge],
            credential: CredentialShape(destinations: [], token: CredentialShape.Token()))

    }

    /// Sends a request to a server that answers `page` to all requests without a token.
    private func tokenAnswer(
        _ page: String, isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? = nil
    ) async throws -> (text: String, fields: [String?]) {
        let transport = ScriptedTransport { sent in sent["Authorization"] == nil ? Self.page(page) : .text("data") }
        let session = Session(configuration: .test(), transport: transport)
        let origin = try #require(URL(string: "https://app.example").flatMap { Origin($0) })
        session.register(
            Tokens().observer(
                named: "TokenObserver", store: MemoryTokenStore(), origins: ProtectedOrigins(origins: [origin]),
                authenticate: { OAuth2Token(accessToken: "access", tokenType: "Bearer") }, refresh: { $0 },
                isChallenge: isChallenge))
        let response = try await session.send(.to("https://app.example/data"))
        return (try await response.text(), transport.sent.map { $0["Authorization"] })
    }

    @Test func `a page that asks for a token is answered by one`() async throws {
        let answer = try await tokenAnswer("<html>\(Self.text)</html>")
        #expect(answer == ("data", [nil, "Bearer access"]))
    }

    @Test func `a page with another text gets no token`() async throws {
        #expect(try await tokenAnswer("<html></html>") == ("<html></html>", [nil]))
    }

    @Test func `an application's own comparison of heads asks for a token without a body`() async throws {
        let answer = try await tokenAnswer(Self.text) { _, exchange in exchange.bodyPrefix != nil }
        #expect(answer == (Self.text, [nil]))
    }
}
