import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

@testable import Countersign

/// Logouts during other operations.
@Suite(.timeLimit(.minutes(10))) struct EndSessionTests {
    @Test func `RT-15 a logout during a login discards its result, and waiting requests get a typed error`() async throws {
        let server = LoginServer()
        let login = Turnstile()
        let events = EventRecorder()
        let result = Turnstile()
        let presenter = ScriptedPresenter { presentation in
            // A presenter that ignores cancellation and returns its cookies after the logout.
            try? await login.pass()
            result.open()
            return server.finished(presentation)
        }
        let session = Session(
            configuration: .test(presenter: presenter, events: events), transport: ScriptedTransport { server.answer($0) })
        session.register(try server.observer())

        let response = Task { try await session.send(.to("https://app.example/data")) }
        await login.arrivals(1)
        session.endSession()
        let error = await #expect(throws: CountersignError.self) { try await response.value }
        login.open()
        try await result.pass()

        #expect(error?.code == .sessionEnded)
        #expect(error?.authenticationMethod == "login")
        #expect(error?.requestMethod == "GET")
        #expect(session.cookies.all.isEmpty)
        #expect(events.count(.ended) == 1)
        #expect(events.count(.failed(code: "session-ended")) == 1)
    }

    @Test func `RT-15 a login that was about to begin at a logout does not begin`() async throws {
        let server = LoginServer()
        let presenter = server.presenter()
        let transport = ScriptedTransport { server.answer($0) }
        let session = Session(configuration: .test(presenter: presenter), transport: transport)
        let method = LoginMethod.login(name: server.name, hasAlternative: true)
        let authenticator = LoginAuthenticator(
            method: method, parameters: try server.parameters(), presenter: EndingPresenter(session: session, presenter: presenter))
        session.register(LoginObserver(name: "ending", authenticator: authenticator))
        let error = await #expect(throws: CountersignError.self) { try await session.send(.to("https://app.example/data")) }
        #expect(error?.code == .sessionEnded)
        #expect(presenter.presentations.isEmpty)
    }

    @Test func `RT-16 a request of the former user is not resent as the next one`() async throws {
        let server = LoginServer()
        let late = Turnstile()
        let presenter = server.presenter()
        let transport = ScriptedTransport { sent in
            if sent.path == "/former" {
                try await late.pass()
                return server.challenge
            }
            return server.answer(sent)
        }
        let session = Session(configuration: .test(presenter: presenter), transport: transport)
        session.register(try server.observer())

        let former = Task { try await session.send(.to("https://app.example/former")) }
        await late.arrivals(1)
        session.endSession()
        #expect(try await session.send(.to("https://app.example/next")).text() == "data")
        late.open()

        let error = await #expect(throws: CountersignError.self) { try await former.value }
        #expect(error?.code == .sessionEnded)
        #expect(transport.sent.count { $0.path == "/former" } == 1)
        #expect(presenter.presentations.count == 1)
    }

    @Test func `RT-16 a request of the former user is not redirected as the next one`() async throws {
        let late = Turnstile()
        let transport = ScriptedTransport { sent in
            guard sent.path == "/former" else { return .text("data") }
            try await late.pass()
            return .redirect(to: "/target")
        }
        let session = Session(configuration: .test(), transport: transport)
        let former = Task { try await session.send(.to("https://app.example/former")) }
        await late.arrivals(1)
        session.endSession()
        late.open()
        let error = await #expect(throws: CountersignError.self) { try await former.value }
        #expect(error?.code == .sessionEnded)
        #expect(transport.sent.count == 1)
    }

    @Test func `RT-16 a cookie that arrives after the logout does not enter the jar, and the response is still delivered`()
        async throws
    {
        let late = Turnstile()
        let transport = ScriptedTransport { _ in
            try await late.pass()
            return Reply(200, [("Set-Cookie", "session=former")])
        }
        let session = Session(configuration: .test(), transport: transport)
        let former = Task { try await session.send(.to("https://app.example/former")) }
        await late.arrivals(1)
        session.endSession()
        late.open()
        #expect(try await former.value.head.status == .ok)
        #expect(session.cookies.all.isEmpty)
    }

    @Test func `a logout clears the jar and tells the observers`() async throws {
        let transport = ScriptedTransport { _ in Reply(200, [("Set-Cookie", "session=1")]) }
        let session = Session(configuration: .test(), transport: transport)
        let observer = SpyObserver()
        session.register(observer)
        _ = try await session.send(.to("https://app.example/"))
        #expect(session.cookies.all.count == 1)
        session.endSession()
        #expect(session.cookies.all.isEmpty)
        #expect(observer.calls.suffix(1) == ["didEndSession"])
    }

    @Test func `after a logout the next request logs in anew`() async throws {
        let server = LoginServer()
        let presenter = server.presenter()
        let session = Session(configuration: .test(presenter: presenter), transport: ScriptedTransport { server.answer($0) })
        session.register(try server.observer())
        _ = try await session.send(.to("https://app.example/1"))
        session.endSession()
        #expect(try await session.send(.to("https://app.example/2")).text() == "data")
        #expect(presenter.presentations.count == 2)
    }

    /// The session that the jar's closures use.
    private final class Hook: Sendable {
        private let session = Mutex<Session?>(nil)
        let uses = Counter()

        func use(_ session: Session) { self.session.withLock { $0 = session } }

        func call() {
            guard let session = session.withLock({ $0 }) else { return }
            uses.increment()
            session.unregister(SpyObserver())
        }

        func logOut() { session.withLock { $0 }?.endSession() }
    }

    /// Runs in a process of its own, because a thread that takes a lock twice ends the process.
    @Test(.exitsAlone) func `L3 a jar's list of public suffixes and its clock may use the session`() async {
        await #expect(processExitsWith: .success) {
            let (hook, server) = (Hook(), LoginServer())
            let jar = CookieJar(
                isPublicSuffix: { _ in
                    hook.call()
                    return false
                },
                now: {
                    hook.call()
                    return Date(timeIntervalSince1970: 0)
                })
            let presenter = ScriptedPresenter { presentation in
                let wide = Cookie(name: "wide", value: "1", domain: "app.example", isHostOnly: false)
                let result = server.finished(presentation)
                return WebPresentationResult(
                    finishURL: result.finishURL, cookies: CookieJar.Snapshot(cookies: result.cookies.cookies + [wide]))
            }
            let transport = ScriptedTransport { sent in
                var reply = server.answer(sent)
                reply.head.headerFields.append(HTTPField(name: .setCookie, value: "seen=1; Domain=app.example; Max-Age=60"))
                return reply
            }
            let session = Session(configuration: .test(presenter: presenter), transport: transport, cookies: jar)
            hook.use(session)
            session.register(try server.observer())
            let response = try await session.send(.to("https://app.example/data"))
            precondition(response.head.status == .ok && hook.uses.count > 2)
            precondition(Set(session.cookies.all.map(\.name)) == ["login", "seen", "wide"])
        }
    }

    @Test(.exitsAlone) func `L3 a list of public suffixes that logs the user out leaves no cookie of the old session behind`() async
    {
        await #expect(processExitsWith: .success) {
            let (hook, server) = (Hook(), LoginServer())
            let jar = CookieJar(isPublicSuffix: { domain in
                if domain == "wide.example" { hook.logOut() }
                return false
            })
            let presenter = ScriptedPresenter { presentation in
                let wide = Cookie(name: "wide", value: "1", domain: "wide.example", isHostOnly: false)
                return WebPresentationResult(
                    finishURL: presentation.finish.url, cookies: CookieJar.Snapshot(cookies: [wide, server.logIn()]))
            }
            let session = Session(
                configuration: .test(presenter: presenter), transport: ScriptedTransport { server.answer($0) }, cookies: jar)
            hook.use(session)
            session.register(try server.observer())
            do {
                _ = try await session.send(.to("https://app.example/data"))
                preconditionFailure("the user has logged out")
            } catch let error as CountersignError {
                precondition(error.code == .sessionEnded, "\(error)")
            }
            precondition(session.cookies.all.isEmpty)
        }
    }
}

/// Ends the user's session when ``isEmbeddedWebView`` is read, which is after the start of the flow and right before the page.
private struct EndingPresenter: WebPresenter {
    let session: Session
    let presenter: ScriptedPresenter

    var isEmbeddedWebView: Bool {
        session.endSession()
        return false
    }

    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        try await presenter.present(presentation)
    }
}
