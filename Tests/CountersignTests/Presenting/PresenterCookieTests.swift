import Countersign
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A presenter with a cookie store of its own, like a web view.
@Suite(.timeLimit(.minutes(10))) struct PresenterCookieTests {
    /// A web view: it has a store of its own, into which the session's cookies are copied, and a login page that sets some.
    private struct WebView: WebPresenter {
        let login: [String]
        let page: URL

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            let store = CookieJar()
            for cookie in presentation.cookies.cookies { store.set(cookie) }
            store.store(login, from: page)
            return WebPresentationResult(finishURL: presentation.finish.url, cookies: store.snapshot())
        }
    }

    private func session(_ presenter: any WebPresenter, _ transport: ScriptedTransport) throws -> Session {
        let method = LoginMethod.login(
            challenges: [ChallengePattern("login", statuses: [401])], rejection: nil, mapsFailures: false)
        let parameters = LoginParameters(
            login: try #require(URL(string: "https://login.example/")),
            finish: try #require(URL(string: "https://app.example/done")))
        var configuration = SessionConfiguration()
        configuration.presenter = presenter
        configuration.clock = ManualClock()
        let session = Session(configuration: configuration, transport: transport)
        session.register(LoginObserver(name: "Login", authenticator: LoginAuthenticator(method: method, parameters: parameters)))
        return session
    }

    @Test
    func `RT-47 session cookies and HttpOnly cookies of a presenter's own store are in the jar before the request is sent again`()
        async throws
    {
        let app = try #require(URL(string: "https://app.example/"))
        let jar = Mutex<CookieJar?>(nil)
        let inJar = Mutex<[[Cookie]]>([])
        let transport = ScriptedTransport { sent in
            inJar.withLock { $0.append(jar.withLock { $0 }?.all ?? []) }
            return sent.number == 1 ? Reply(401) : .text("data")
        }
        let cookies = [
            "session=1; Path=/; Secure", "hidden=2; Path=/; HttpOnly; Secure", "lasting=3; Path=/; Max-Age=60",
            "elsewhere=4; Path=/other", "old=; Path=/; Max-Age=0",
        ]
        let session = try session(WebView(login: cookies, page: app), transport)
        jar.withLock { $0 = session.cookies }
        session.cookies.store(["old=0; Path=/", "kept=5; Path=/"], from: app)

        let response = try await session.send(.to("https://app.example/data"))

        #expect(try await response.text() == "data")
        #expect(
            transport.sent.map { Set(($0["Cookie"] ?? "").split(separator: "; ").map(String.init)) } == [
                ["old=0", "kept=5"], ["kept=5", "session=1", "hidden=2", "lasting=3"],
            ])
        let resent = try #require(inJar.withLock { $0 }.last)
        let named = Dictionary(uniqueKeysWithValues: resent.map { ($0.name, $0) })
        #expect(Set(named.keys) == ["kept", "session", "hidden", "lasting", "elsewhere"])
        #expect(named["session"]?.expires == nil && named["session"]?.isSecure == true)
        #expect(named["hidden"]?.isHTTPOnly == true && named["hidden"]?.expires == nil)
        #expect(named["lasting"]?.expires != nil)
    }

    @Test func `RT-47 a presenter's cookies for another host are kept, and go there alone`() async throws {
        let transport = ScriptedTransport { sent in sent.number == 1 ? Reply(401) : .text("data") }
        let login = try #require(URL(string: "https://login.example/"))
        let session = try session(WebView(login: ["sso=1; Path=/; HttpOnly"], page: login), transport)
        _ = try await session.send(.to("https://app.example/data"))
        _ = try await session.send(.to("https://login.example/"))
        #expect(transport.sent.map { $0["Cookie"] } == [nil, nil, "sso=1"])
    }
}
