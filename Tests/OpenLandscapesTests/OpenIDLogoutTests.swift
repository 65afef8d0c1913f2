import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import OpenIDConnect
import Synchronization
import TestTurns
import Testing

/// Logouts at the provider (OpenID Connect RP-Initiated Logout 1.0), with a provider that verifies the ID token of the request.
@Suite(.takesTurns) struct OpenIDLogoutTests: OpenIDBench {
    private static let goodbye = "http://127.0.0.1/goodbye"

    static var options: MockOAuth2Options {
        var app = MockOAuth2Client.app
        app.logoutURIs = [goodbye]
        var options = MockOAuth2Options()
        options.scopes = ["openid", "read"]
        options.openID = MockOpenIDOptions()
        options.clients += [app, MockOAuth2Client(id: "other", redirectURIs: ["http://127.0.0.1/callback"])]
        return options
    }

    private static func withHint(_ options: inout MockOAuth2Options) { options.openID?.requiresLogoutHint = true }

    private func observer(_ server: MockAuthorizationServer, store: (any CredentialStore)? = nil) throws -> OpenIDLoginObserver {
        var parameters = try parameters(server)
        parameters.logoutURL = URL(string: Self.goodbye)
        return OpenIDLoginObserver(parameters: parameters, store: store)
    }

    /// A user whose pages are recorded.
    private final class Witness: WebPresenter {
        private let pages = Mutex<[WebPresentation]>([])
        private let opensURLs: Bool

        /// - Parameter opensURLs: Whether the user's browser can only open URLs.
        init(opensURLs: Bool = false) { self.opensURLs = opensURLs }

        /// The last page.
        var last: WebPresentation? { pages.withLock { $0.last } }

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            pages.withLock { $0.append(presentation) }
            let presenter = FormFillingPresenter(values: ["j_username": "alice", "j_password": "wonderland"])
            guard opensURLs else { return try await presenter.present(presentation) }
            return try await presenter.present(
                WebPresentation(
                    authenticationMethod: presentation.authenticationMethod, url: presentation.url, finish: presentation.finish,
                    jar: presentation.jar, transport: presentation.transport))
        }
    }

    @Test func `a provider that requires the ID token gets it in a form, and asks the user nothing`() async throws {
        var options = Self.options
        Self.withHint(&options)
        try await MockAuthorizationServer.run(options: options) { (server) async throws in
            let user = Witness()
            await withSession(presenter: user) { session in
                let observer = try observer(server)
                session.register(observer)
                #expect(try await call(server, session) == 200)
                let token = try #require(try await observer.credential(in: session)?.idToken)
                try await session.logOut()
                #expect(server.statistics.logouts == 1 && server.statistics.hintedLogouts == 1)
                #expect(server.statistics.logoutHintsInAddresses == 0 && server.statistics.revocations == 2)
                let page = try #require(user.last)
                #expect(!page.url.absoluteString.contains("id_token_hint"))
                #expect(page.form?.url.query() == nil)
                #expect(
                    page.form?.fields.map(\.name) == ["client_id", "post_logout_redirect_uri", "state", "id_token_hint"])
                #expect(page.form?.fields.last?.value == token)
            }
        }
    }

    @Test func `the ID token is that of the last renewal, and is there after a restart`() async throws {
        let store = MemoryCredentialStore()
        var options = Self.options
        Self.withHint(&options)
        try await MockAuthorizationServer.run(options: options) { (server) async throws in
            let user = Witness()
            var first: String?
            await withSession(presenter: user) { session in
                let observer = try observer(server, store: store)
                session.register(observer)
                #expect(try await call(server, session) == 200)
                first = try await observer.credential(in: session)?.idToken
                server.expireAccessTokens()
                #expect(try await call(server, session) == 200)
            }
            // The provider knows its tokens after it has replaced its key.
            server.rotateKeys()
            await withSession(presenter: user) { session in
                let observer = try observer(server, store: store)
                session.register(observer)
                #expect(try await call(server, session) == 200)
                let token = try #require(try await observer.credential(in: session)?.idToken)
                #expect(token != first)
                try await session.logOut()
                #expect(user.last?.form?.fields.last?.value == token)
            }
            #expect(server.statistics.hintedLogouts == 1 && server.statistics.authorizations == 1)
        }
    }

    @Test func `where a browser only opens URLs, the provider asks the user`() async throws {
        try await MockAuthorizationServer.run(options: Self.options) { (server) async throws in
            await withSession(presenter: Witness(opensURLs: true)) { session in
                session.register(try observer(server))
                #expect(try await call(server, session) == 200)
                try await session.logOut()
                #expect(server.statistics.logouts == 1 && server.statistics.hintedLogouts == 0)
                #expect(server.statistics.logoutHintsInAddresses == 0)
            }
        }
    }

    @Test func `where a browser only opens URLs, and the provider requires the ID token, the user is logged out here`()
        async throws
    {
        var options = Self.options
        Self.withHint(&options)
        try await MockAuthorizationServer.run(options: options) { (server) async throws in
            await withSession(presenter: Witness(opensURLs: true)) { session in
                session.register(try observer(server))
                #expect(try await call(server, session) == 200)
                #expect(await code { try await session.logOut() } == .presenterFailed)
                #expect(server.statistics.logouts == 0 && server.statistics.revocations == 2)
                #expect(try await call(server, session) == 200)
                #expect(server.statistics.authorizations == 2)
            }
        }
    }

    // MARK: The provider of the tests

    /// Posts a logout request, and returns the status.
    private func post(_ fields: [(name: String, value: String)], to server: MockAuthorizationServer) async throws -> Int {
        let url = server.baseURL.appending(path: MockOAuth2Options.Paths().end)
        let form = PageForm(url: url, fields: fields.map { PageForm.Field(name: $0.name, value: $0.value) })
        var head = HTTPRequest(method: .post, url: url)
        head.headerFields[.contentType] = PageForm.contentType
        let request = SessionRequest(head, body: .text(form.body), followsRedirects: false)
        var status = 0
        await withSession { session in status = try await session.send(request).head.status.code }
        return status
    }

    @Test func `the provider accepts an ID token of its own, for its client and its redirect URL`() async throws {
        try await run { (server, session) async throws in
            let observer = try observer(server)
            session.register(observer)
            #expect(try await call(server, session) == 200)
            let token = try #require(try await observer.credential(in: session)?.idToken)
            let address = (name: "post_logout_redirect_uri", value: Self.goodbye)
            let hint = (name: "id_token_hint", value: token)
            let parts = token.split(separator: ".")
            let tampered = "\(parts[0]).\(parts[1].dropLast(2))AA.\(parts[2])"
            let refused: [[(name: String, value: String)]] = [
                [address, (name: "id_token_hint", value: tampered)], [address, (name: "id_token_hint", value: "x")],
                [address, hint, (name: "client_id", value: "other")], [hint],
                [hint, (name: "post_logout_redirect_uri", value: "https://evil.example/")],
            ]
            for fields in refused { #expect(try await post(fields, to: server) == 400) }
            #expect(server.statistics.logouts == 0)
            // The client is that of the token.
            #expect(try await post([address, hint], to: server) == 303)
            #expect(try await post([address, hint, (name: "client_id", value: "app")], to: server) == 303)
            // A confirmation that no page has.
            #expect(
                try await post([address, (name: "client_id", value: "app"), (name: "confirmation", value: "x")], to: server) == 400)
            #expect(server.statistics.logouts == 2 && server.statistics.hintedLogouts == 2)
        }
    }
}
