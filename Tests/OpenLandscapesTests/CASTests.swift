import CAS
import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

@testable import CountersignTesting

/// CAS on sockets: a CAS server and an application that follow the protocol, and the mocks that follow from the specs.
@Suite(.takesTurns) struct CASTests {
    /// Enters one password after another, and repeats the last one.
    private final class Alice: CASPasswordPrompting {
        private let passwords: [String]
        private let asked = Mutex<[CredentialPrompt]>([])

        init(_ passwords: String...) { self.passwords = passwords }

        var prompts: [CredentialPrompt] { asked.withLock(\.self) }

        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            let count = asked.withLock { asked in
                asked.append(prompt)
                return asked.count
            }
            return passwords.prefix(count).last.map { ("alice", $0) }
        }
    }

    /// A browser that stops before the redirect to the application.
    private final class Browser: WebPresenter {
        private let presenter: FormFillingPresenter
        private let change: @Sendable (URL) async throws -> URL
        private let shown = Mutex<[URL]>([])

        /// - Parameter change: Replaces the URL that ends the page.
        init(password: String = "wonderland", change: @escaping @Sendable (URL) async throws -> URL = { $0 }) {
            presenter = FormFillingPresenter(user: "alice", password: password)
            self.change = change
        }

        /// The URLs of the pages.
        var pages: [URL] { shown.withLock(\.self) }

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            shown.withLock { $0.append(presentation.url) }
            let result = try await presenter.present(presentation)
            return WebPresentationResult(finishURL: try await change(result.finishURL), cookies: result.cookies)
        }
    }

    /// A CAS server at `/cas/`, and an application at `/app/` that validates tickets as the modules for web servers do.
    private final class Site: Sendable {
        struct State {
            /// The cookies of sessions at the CAS server.
            var granted: Set<String> = []
            /// The login tickets and the cookies of the displayed forms, of which each is accepted once.
            var forms: [String: String] = [:]
            /// The services of the tickets that were not yet accepted.
            var tickets: [String: String] = [:]
            /// The cookies of sessions at the application.
            var sessions: Set<String> = []
            var requests: [ReceivedRequest] = []
            /// The services for which tickets were requested and issued.
            var services: [String] = []
            var logins = 0
            var refusals = 0
            var challenges = 0
        }

        /// The deviations of a server.
        struct Oddities {
            /// Whether the CAS server reads the service only from the query.
            var readsQuery = false
            /// Whether the CAS server knows the service.
            var isRegistered = true
            /// The service in the application's redirects; `nil` for the requested URL.
            var service: String?
            /// The URL to which the CAS server sends tickets; `nil` for the service.
            var target: String?
            /// The path for which the application validates tickets; `nil` for the requested one.
            var validated: String?
        }

        let state = Mutex(State())
        let gates = MockGates()
        private let base: String
        private let oddities: Oddities

        init(_ base: String, _ oddities: Oddities) {
            self.base = base
            self.oddities = oddities
        }

        func answer(_ request: MockRequest) async -> MockResponse {
            if request.path.hasPrefix("/app/") { await gates.pass(request.path) }
            return state.withLock { state in
                state.requests.append(ReceivedRequest(request))
                switch (request.method, request.path) {
                case (.get, "/cas/login"): return showForm(request, &state)
                case (.post, "/cas/login"): return logIn(request, &state)
                case (.get, "/cas/logout"):
                    state.granted.subtract(request.cookieValues("TGC"))
                    return request.queryFields?["service"].map { .redirect(to: $0) } ?? .page("<p>Goodbye.</p>")
                case (.get, "/app/logout"):
                    state.sessions.subtract(request.cookieValues("APP"))
                    return .redirect(to: "/cas/logout")
                default: return serve(request, &state)
                }
            }
        }

        // MARK: The CAS server

        private func showForm(_ request: MockRequest, _ state: inout State) -> MockResponse {
            guard request.cookieValues("TGC").contains(where: state.granted.contains) else { return form(&state) }
            return grant(request.queryFields?["service"], &state)
        }

        private func form(_ state: inout State) -> MockResponse {
            let (visitor, token) = (Token.make(), "LT-\(Token.make())")
            state.forms[token] = visitor
            return MockResponse.page(
                """
                <!doctype html><title>CAS</title><form method="post"><input type="hidden" name="lt" value="\(token)">
                <input type="hidden" name="csrfmiddlewaretoken" value="&quot;\(visitor)"><input name="username">
                <input type="password" name="password"><button>Log in</button></form>
                """
            ).settingCookie("visitor", to: visitor)
        }

        private func logIn(_ request: MockRequest, _ state: inout State) -> MockResponse {
            guard let form = request.form, let visitor = form["lt"].flatMap({ state.forms.removeValue(forKey: $0) }),
                request.cookieValues("visitor") == [visitor], form["csrfmiddlewaretoken"] == "\"\(visitor)"
            else { return .text("This form was not shown to you.\n", status: .forbidden) }
            guard form["username"] == "alice", form["password"] == "wonderland" else {
                state.refusals += 1
                return self.form(&state)
            }
            state.logins += 1
            let session = "TGT-\(Token.make())"
            state.granted.insert(session)
            let query = request.queryFields?["service"]
            return grant(oddities.readsQuery ? query : form["service"] ?? query, &state).settingCookie("TGC", to: session)
        }

        private func grant(_ service: String?, _ state: inout State) -> MockResponse {
            guard let service else { return .redirect(to: "/cas/login") }
            state.services.append(service)
            guard oddities.isRegistered else { return .page("<p>The service is unknown.</p>") }
            let ticket = "ST-\(Token.make())"
            state.tickets[ticket] = service
            let target = oddities.target ?? service
            return .redirect(to: target + (target.contains("?") ? "&" : "?") + "ticket=\(ticket)")
        }

        // MARK: The application

        private func serve(_ request: MockRequest, _ state: inout State) -> MockResponse {
            let query = (request.query ?? "").split(separator: "&")
            let ticket = query.first { $0.hasPrefix("ticket=") }?.dropFirst(7)
            let others = query.filter { !$0.hasPrefix("ticket=") }.joined(separator: "&")
            let url = base + request.path + (others.isEmpty ? "" : "?\(others)")
            if let ticket {
                let service = oddities.validated.map { base + $0 } ?? url
                guard state.tickets.removeValue(forKey: String(ticket)) == service else {
                    return .text("The ticket is not valid.\n", status: .unauthorized)
                }
                let session = Token.make()
                state.sessions.insert(session)
                return .redirect(to: url).settingCookie("APP", to: session)
            }
            guard request.cookieValues("APP").contains(where: state.sessions.contains) else {
                state.challenges += 1
                return .redirect(to: "\(base)/cas/login?\(FormFields.encode([("service", oddities.service ?? url)]))")
            }
            return .text("data\n", status: .ok)
        }

        // MARK: Counts

        /// The numbers of logins and of issued tickets.
        var counts: [Int] { state.withLock { [$0.logins, $0.services.count] } }

        var refusals: Int { state.withLock { $0.refusals } }

        func count(_ method: String, _ path: String) -> Int {
            state.withLock { $0.requests.count { $0.method == method && $0.path == path } }
        }
    }

    /// Calls `body` with a session, the site, and the site's URL.
    private func run(
        _ oddities: Site.Oddities = Site.Oddities(), presenter: (any WebPresenter)? = nil,
        _ body: (Session, Site, URL) async throws -> Void
    ) async throws {
        let (server, (site, url)) = try await MockServer.start { port in
            let url = URL(serverAt: port, path: "")
            let site = Site(url.absoluteString, oddities)
            return ((site, url), { request in await site.answer(request) })
        }
        try await MockServer.stop([server], with: site.gates) {
            await withSession(presenter: presenter) { session in try await body(session, site, url) }
        }
    }

    private func password(
        at url: URL, _ password: String? = "wonderland", alice: Alice? = nil, store: (any CredentialStore)? = nil
    ) -> CASPasswordObserver {
        CASPasswordObserver(
            parameters: CASPasswordParameters(
                casURL: url.appending(path: "cas"), serviceURL: url.appending(path: "app/"), user: password.map { _ in "alice" },
                password: password, logoutURL: url.appending(path: "app/logout")),
            prompting: alice, store: store)
    }

    private func browser(at url: URL, showsLogoutPage: Bool = false) -> CASBrowserObserver {
        CASBrowserObserver(
            parameters: CASBrowserParameters(
                casURL: url.appending(path: "cas"), serviceURL: url.appending(path: "app/"),
                logoutURL: url.appending(path: "app/logout"),
                loggedOutURL: showsLogoutPage ? url.appending(path: "goodbye") : nil))
    }

    private func get(_ url: URL, _ session: Session) async throws -> String {
        let response = try await session.send(SessionRequest(HTTPRequest(url: url.appending(path: "app/data"))))
        return "\(response.head.status.code) \(String(decoding: try await response.body.collect(upTo: 4096), as: UTF8.self))"
    }

    /// Returns the name of an error's case or code.
    private func failure(_ body: () async throws -> String) async -> String? {
        do {
            return "no error: \(try await body())"
        } catch let error as any AuthenticationError {
            return error.code
        } catch {
            return (error as? CountersignError)?.code.rawValue
        }
    }

    // MARK: Passwords

    @Test func `a login takes one form and one ticket, and serves each further request`() async throws {
        try await run { (session, site, url) async throws in
            session.register(password(at: url))
            for _ in 0..<3 { #expect(try await get(url, session) == "200 data\n") }
            #expect(site.counts == [1, 1])
            #expect(
                site.state.withLock { $0.requests.map { "\($0.method) \($0.path)" } }.prefix(5) == [
                    "GET /app/data", "GET /cas/login", "POST /cas/login", "GET /app/", "GET /app/data",
                ])
            // The application's cookie is not the session's.
            #expect(session.cookies.all.isEmpty)
        }
    }

    @Test func `a wrong password is asked for again, and one of the parameters is sent once`() async throws {
        let alice = Alice("wrong", "wonderland")
        try await run { (session, site, url) async throws in
            session.register(password(at: url, nil, alice: alice))
            #expect(try await get(url, session) == "200 data\n")
            #expect(alice.prompts.map(\.refusals) == [0, 1])
            let origin = try #require(Origin(url))
            #expect(alice.prompts.map(\.origin) == [origin, origin])
            #expect(site.refusals == 1)
            #expect(site.counts == [1, 1])
        }
        try await run { (session, site, url) async throws in
            session.register(password(at: url, "wrong"))
            #expect(await failure { try await get(url, session) } == "refused-by-server")
            #expect(site.refusals == 1)
            #expect(site.counts == [0, 0])
        }
    }

    @Test func `when the application's session has ended, the password is needed only if that of the CAS server has, too`()
        async throws
    {
        let alice = Alice("wonderland")
        try await run { (session, site, url) async throws in
            session.register(password(at: url, nil, alice: alice))
            #expect(try await get(url, session) == "200 data\n")
            site.state.withLock { $0.sessions = [] }
            #expect(try await get(url, session) == "200 data\n")
            #expect(site.counts == [1, 2])
            site.state.withLock { state in
                state.sessions = []
                state.granted = []
            }
            #expect(try await get(url, session) == "200 data\n")
            #expect(site.counts == [2, 3])
            #expect(alice.prompts.map(\.refusals) == [0, 0])
        }
    }

    @Test func `another process continues both sessions`() async throws {
        let store = MemoryCredentialStore()
        let alice = Alice("wonderland")
        try await run { (session, site, url) async throws in
            session.register(password(at: url, nil, alice: alice, store: store))
            #expect(try await get(url, session) == "200 data\n")
            await withSession { (next) async throws in
                next.register(password(at: url, nil, alice: alice, store: store))
                #expect(try await get(url, next) == "200 data\n")
                site.state.withLock { $0.sessions = [] }
                #expect(try await get(url, next) == "200 data\n")
            }
            #expect(site.counts == [1, 2])
            #expect(alice.prompts.count == 1)
        }
    }

    @Test func `a server that reads the service only from the query is asked for the ticket again`() async throws {
        try await run(Site.Oddities(readsQuery: true)) { (session, site, url) async throws in
            session.register(password(at: url))
            #expect(try await get(url, session) == "200 data\n")
            #expect(site.counts == [1, 1])
            #expect(site.count("GET", "/cas/login") == 2)
        }
    }

    @Test func `a service that the CAS server does not know is not a wrong password`() async throws {
        let alice = Alice("wonderland")
        try await run(Site.Oddities(isRegistered: false)) { (session, site, url) async throws in
            session.register(password(at: url, nil, alice: alice))
            #expect(await failure { try await get(url, session) } == "noTicket")
            #expect(alice.prompts.count == 1)
            #expect(site.state.withLock { $0.tickets.isEmpty })
        }
    }

    @Test func `an application cannot obtain a ticket for another service`() async throws {
        let elsewhere = "https://elsewhere.example/"
        try await run(Site.Oddities(service: elsewhere), presenter: Browser()) { (session, site, url) async throws in
            session.register(password(at: url))
            #expect(try await get(url, session) == "200 data\n")
            #expect(site.state.withLock { $0.services } == ["\(url)/app/"])
        }
        try await run(Site.Oddities(service: elsewhere), presenter: Browser()) { (session, site, url) async throws in
            session.register(browser(at: url))
            #expect(try await get(url, session) == "200 data\n")
            #expect(site.state.withLock { $0.services.allSatisfy { $0.hasPrefix("\(url)/app/?state=") } })
        }
    }

    @Test(arguments: ["https://elsewhere.example/app/", "http://127.0.0.1:1/app/"])
    func `a ticket is sent to the application alone`(_ target: String) async throws {
        try await run(Site.Oddities(target: target)) { (session, site, url) async throws in
            session.register(password(at: url))
            #expect(await failure { try await get(url, session) } == "noTicket")
            #expect(site.count("GET", "/app/") == 0)
        }
    }

    @Test func `a service URL is used unchanged, with its query`() async throws {
        try await run { (session, site, url) async throws in
            let service = "\(url)/app/?b=1&a=%7e"
            session.register(
                CASPasswordObserver(
                    parameters: CASPasswordParameters(
                        casURL: url.appending(path: "cas"), serviceURL: try #require(URL(string: service)), user: "alice",
                        password: "wonderland")))
            #expect(try await get(url, session) == "200 data\n")
            #expect(site.state.withLock { $0.services } == [service])
        }
    }

    @Test func `an application that validates tickets for another URL refuses them`() async throws {
        let alice = Alice("wonderland")
        try await run(Site.Oddities(validated: "/app/other")) { (session, _, url) async throws in
            session.register(password(at: url, nil, alice: alice))
            #expect(await failure { try await get(url, session) } == "ticketRefused")
            #expect(alice.prompts.count == 1)
        }
    }

    @Test func `a logout ends both sessions`() async throws {
        try await run { (session, site, url) async throws in
            session.register(password(at: url))
            #expect(try await get(url, session) == "200 data\n")
            try await session.logOut()
            #expect(site.state.withLock { $0.sessions.isEmpty && $0.granted.isEmpty })
            #expect(site.count("GET", "/app/logout") == 1)
            #expect(site.count("GET", "/cas/logout") == 1)
            #expect(try await get(url, session) == "200 data\n")
            #expect(site.counts == [2, 2])
        }
    }

    @Test func `a hundred requests at once take one login`() async throws {
        try await run { (session, site, url) async throws in
            session.register(password(at: url))
            let gate = site.gates.hold(.any, until: 100, limit: .seconds(30))
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { try await get(url, session) } }
                for try await answer in group { #expect(answer == "200 data\n") }
            }
            #expect(!gate.hasTimedOut)
            #expect(site.counts == [1, 1])
            #expect(site.state.withLock { $0.challenges } == 100)
        }
    }

    // MARK: Browsers

    @Test func `the client redeems the ticket of a login in a browser`() async throws {
        let presenter = Browser()
        try await run(presenter: presenter) { (session, site, url) async throws in
            session.register(browser(at: url))
            for _ in 0..<3 { #expect(try await get(url, session) == "200 data\n") }
            #expect(presenter.pages.count == 1)
            #expect(site.counts == [1, 1])
            // The browser has not requested it.
            #expect(site.count("GET", "/app/") == 1)
            #expect(session.cookies.all.isEmpty)
            site.state.withLock { $0.sessions = [] }
            #expect(try await get(url, session) == "200 data\n")
            #expect(presenter.pages.count == 2)
            #expect(Set(site.state.withLock { $0.services }).count == 2)
        }
    }

    @Test func `a session of the browser at the CAS server needs no form`() async throws {
        try await run(presenter: Browser(password: "wrong")) { (session, site, url) async throws in
            site.state.withLock { $0.granted = ["TGT-known"] }
            session.cookies.store(["TGC=TGT-known; Path=/cas"], from: url.appending(path: "cas/login"))
            session.register(browser(at: url))
            #expect(try await get(url, session) == "200 data\n")
            #expect(site.counts == [0, 1])
        }
    }

    @Test func `the ticket of another login is not sent`() async throws {
        let presenter = Browser { url in
            let text = url.absoluteString.replacing(/state=[^&]*/, with: "state=\(Token.make())")
            return try #require(URL(string: text))
        }
        try await run(presenter: presenter) { (session, site, url) async throws in
            session.register(browser(at: url))
            #expect(await failure { try await get(url, session) } == "answer-refused")
            #expect(site.count("GET", "/app/") == 0)
        }
    }

    @Test func `a ticket that the browser has used is refused`() async throws {
        let presenter = Browser { url in
            await withSession { (session) async throws in
                let request = SessionRequest(HTTPRequest(url: url), followsRedirects: false)
                #expect(try await status(request, session) == 302)
            }
            return url
        }
        try await run(presenter: presenter) { (session, site, url) async throws in
            session.register(browser(at: url))
            #expect(await failure { try await get(url, session) } == "ticketRefused")
            #expect(site.count("GET", "/app/") == 2)
        }
    }

    @Test(arguments: [false, true])
    func `a logout ends the application's session, and shows the logout page if that is wanted`(_ isWanted: Bool) async throws {
        let presenter = Browser()
        try await run(presenter: presenter) { (session, site, url) async throws in
            session.register(browser(at: url, showsLogoutPage: isWanted))
            #expect(try await get(url, session) == "200 data\n")
            try await session.logOut()
            #expect(site.state.withLock { $0.sessions.isEmpty })
            #expect(presenter.pages.map { $0.path() } == ["/cas/login"] + (isWanted ? ["/cas/logout"] : []))
            // The browser does not open the URL at which the page ends.
            #expect(site.count("GET", "/goodbye") == 0)
        }
    }

    // MARK: The mocks of the specs

    @Test func `the mocks of the specs play both methods`() async throws {
        let logins = try await DescribedMock.run {
            CASPasswordParameters(
                casURL: $0.appending(path: "cas"), serviceURL: $0.appending(path: "service"), user: "alice", password: "wonderland")
        } test: { mock, parameters in
            await withSession { (session) async throws in
                session.register(CASPasswordObserver(parameters: parameters))
                let request = SessionRequest(HTTPRequest(url: mock.url.appending(path: "data")))
                #expect(try await status(request, session) == 200)
            }
            return mock.statistics.logins
        }
        #expect(logins == 1)
        let pages = try await DescribedMock.run {
            CASBrowserParameters(casURL: $0.appending(path: "cas"), serviceURL: $0.appending(path: "service"))
        } test: { mock, parameters in
            await withSession(presenter: FormFillingPresenter(values: [:])) { (session) async throws in
                session.register(CASBrowserObserver(parameters: parameters))
                let request = SessionRequest(HTTPRequest(url: mock.url.appending(path: "data")))
                #expect(try await status(request, session) == 200)
            }
            return mock.statistics.logins
        }
        #expect(pages == 1)
    }
}
