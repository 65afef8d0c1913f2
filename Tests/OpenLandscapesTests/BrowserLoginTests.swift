import Countersign
import CountersignTesting
import Foundation
import FormLogin
import HTTPTypes
import Synchronization
import TestTurns
import Testing

/// The generated client of a login in a browser, on sockets.
@Suite(.takesTurns) struct BrowserLoginTests {
    /// Shows pages by filling forms, and counts them.
    private final class Browser: WebPresenter {
        private let presenter: FormFillingPresenter
        private let count = Mutex(0)

        init(password: String = "wonderland") { presenter = FormFillingPresenter(user: "alice", password: password) }

        var pages: Int { count.withLock { $0 } }

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            count.withLock { $0 += 1 }
            #expect(presentation.cookies.cookies.isEmpty)
            return try await presenter.present(presentation)
        }
    }

    private func run(_ browser: any WebPresenter, _ body: (MockFormLogin, Session) async throws -> Void) async throws {
        try await MockFormLogin.run { mock in
            await withSession(presenter: browser) { (session) async throws in try await body(mock, session) }
        }
    }

    private func observer(_ mock: MockFormLogin, store: (any CredentialStore)? = nil) -> BrowserLoginObserver {
        BrowserLoginObserver(
            parameters: BrowserLoginParameters(loginURL: mock.loginURL, doneURL: mock.url.appending(path: "/")), store: store)
    }

    private func get(_ url: URL, _ session: Session) async throws -> String {
        let response = try await session.send(SessionRequest(HTTPRequest(url: url)))
        return "\(response.head.status.code) \(String(decoding: try await response.body.collect(upTo: 4096), as: UTF8.self))"
    }

    @Test(arguments: ["data", "api/data"])
    func `one page serves each further request, and the next when the server has forgotten`(_ path: String) async throws {
        let browser = Browser()
        try await run(browser) { (mock, session) async throws in
            session.register(observer(mock))
            for _ in 0..<3 { #expect(try await get(mock.url.appending(path: path), session) == "200 data\n") }
            #expect(browser.pages == 1)
            #expect(mock.statistics.logins == 1 && mock.statistics.challenges == 1)
            mock.forgetSessions()
            #expect(try await get(mock.url.appending(path: path), session) == "200 data\n")
            #expect(browser.pages == 2)
        }
    }

    @Test func `what the browser brings is the credential's own, and not the session's`() async throws {
        try await run(Browser()) { (mock, session) async throws in
            let observer = observer(mock)
            session.register(observer)
            #expect(try await get(mock.url.appending(path: "data"), session) == "200 data\n")
            session.unregister(observer)
            #expect(try await get(mock.url.appending(path: "api/data"), session).hasPrefix("401"))
        }
    }

    @Test func `another process takes what is stored, without a page`() async throws {
        let store = MemoryCredentialStore()
        try await MockFormLogin.run { mock in
            let browsers = [Browser(), Browser()]
            for browser in browsers {
                await withSession(presenter: browser) { (session) async throws in
                    session.register(observer(mock, store: store))
                    #expect(try await get(mock.url.appending(path: "data"), session) == "200 data\n")
                }
            }
            #expect(browsers.map(\.pages) == [1, 0])
            #expect(mock.statistics.logins == 1)
        }
    }

    @Test func `a page that refuses a password is an error, and nothing is kept`() async throws {
        let browser = Browser(password: "wrong")
        try await run(browser) { (mock, session) async throws in
            session.register(observer(mock))
            let error = await #expect(throws: CountersignError.self) {
                _ = try await get(mock.url.appending(path: "data"), session)
            }
            #expect(error?.code == .presenterFailed)
            #expect(error?.authenticationMethod == "BrowserLogin")
            #expect(mock.statistics.logins == 0)
        }
    }

    @Test func `a page that was closed cancels the requests that wait`() async throws {
        struct Closing: WebPresenter {
            func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
                throw PresentationFailure.dismissed
            }
        }
        try await run(Closing()) { (mock, session) async throws in
            session.register(observer(mock))
            let error = await #expect(throws: CountersignError.self) {
                _ = try await get(mock.url.appending(path: "data"), session)
            }
            #expect(error?.code == .cancelled)
        }
    }

    @Test func `a login that leaves no cookie is none`() async throws {
        struct Empty: WebPresenter {
            func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
                WebPresentationResult(finishURL: presentation.finish.url, cookies: presentation.cookies)
            }
        }
        try await run(Empty()) { (mock, session) async throws in
            session.register(observer(mock))
            let error = await #expect(throws: CountersignError.self) {
                _ = try await get(mock.url.appending(path: "data"), session)
            }
            #expect(error?.code == .unexpectedAnswer)
        }
    }
}
