import Foundation
import Synchronization
import Testing

@testable import Countersign

/// A login that the user dismisses: all requests in progress receive one error, and no further login page is shown for them.
@Suite("A login that the user dismisses", .timeLimit(.minutes(10)))
struct DismissalTests {
    /// A session whose user dismisses the first logins, and a path whose challenge arrives late.
    private struct Bench {
        let server = LoginServer()
        let late = Turnstile()
        let clock = ManualClock()
        let presenter: ScriptedPresenter
        let transport: ScriptedTransport
        let session: Session
        let observer: LoginObserver

        init(dismissals: Int = 1, coolDown: Duration? = nil) throws {
            let (server, late, clock) = (server, late, clock)
            let shown = Counter()
            presenter = ScriptedPresenter { presentation in
                shown.increment()
                guard shown.count > dismissals else { throw PresentationFailure.dismissed }
                return server.finished(presentation)
            }
            transport = ScriptedTransport { sent in
                let answer = server.answer(sent)
                if sent.path == "/late", sent["Cookie"] == nil { try await late.pass() }
                return answer
            }
            session = Session(
                configuration: .test(presenter: presenter) { configuration in
                    configuration.clock = clock
                    if let coolDown { configuration.dismissalCoolDown = coolDown }
                }, transport: transport)
            observer = try server.observer()
            session.register(observer)
        }

        var pages: Int { presenter.presentations.count }

        func get(_ path: String) async throws -> String { try await session.send(.to("https://app.example" + path)).text() }

        func expectCancelled(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) async {
            let error = await #expect(throws: LoginError.self, sourceLocation: sourceLocation) { try await get(path) }
            #expect(error?.code == "cancelled", sourceLocation: sourceLocation)
        }
    }

    @Test func `RT-14 requests that were under way when the user dismissed a login show no other one`() async throws {
        let bench = try Bench()
        defer { bench.late.open() }
        let late = (0..<10).map { _ in Task { try await bench.get("/late") } }
        try await awaitCondition { bench.late.arrivals == 10 }
        await bench.expectCancelled("/first")
        bench.late.open()
        for task in late { #expect((await task.error as? LoginError)?.code == "cancelled") }
        #expect(bench.pages == 1)
        #expect(try await bench.get("/next") == "data", "a request that is begun afterwards may show a login")
        #expect(bench.pages == 2)
    }

    @Test func `RT-14 a request that was under way is sent again if another login has succeeded since the dismissal`()
        async throws
    {
        let bench = try Bench()
        defer { bench.late.open() }
        let late = Task { try await bench.get("/late") }
        try await awaitCondition { bench.late.arrivals == 1 }
        await bench.expectCancelled("/first")
        #expect(try await bench.get("/next") == "data")
        bench.late.open()
        #expect(try await late.value == "data")
        #expect(bench.pages == 2)
    }

    @Test func `RT-14 cancelling the authenticator is a dismissal`() async throws {
        let (page, late) = (Turnstile(), Turnstile())
        defer { late.open() }
        let server = LoginServer()
        let presenter = server.presenter(after: page)
        let transport = ScriptedTransport { sent in
            if sent.path == "/late" { try await late.pass() }
            return server.answer(sent)
        }
        let session = Session(configuration: .test(presenter: presenter), transport: transport)
        let observer = try server.observer()
        session.register(observer)
        let request = Task { try await session.send(.to("https://app.example/late")) }
        try await awaitCondition { late.arrivals == 1 }
        let first = Task { try await session.send(.to("https://app.example/first")) }
        try await awaitCondition { page.arrivals == 1 }
        observer.authenticator.cancel()
        #expect((await first.error as? LoginError)?.code == "cancelled")
        // Another page, which must not be shown, would end immediately.
        page.open()
        late.open()
        #expect((await request.error as? LoginError)?.code == "cancelled")
        #expect(presenter.presentations.count == 1)
    }

    @Test func `RT-14 within the cool-down that is configured no challenge shows a login`() async throws {
        let bench = try Bench(coolDown: .seconds(10))
        await bench.expectCancelled("/1")
        await bench.expectCancelled("/2")
        bench.clock.advance(by: .seconds(9))
        await bench.expectCancelled("/3")
        #expect(bench.pages == 1)
        bench.clock.advance(by: .seconds(1))
        #expect(try await bench.get("/4") == "data")
        #expect(bench.pages == 2)
    }

    @Test func `RT-14 an authentication that the application asks for does not wait for the cool-down, and ends it`() async throws {
        let bench = try Bench(coolDown: .seconds(10))
        await bench.expectCancelled("/1")
        try await bench.observer.authenticator.authenticate(in: bench.session)
        #expect(bench.pages == 2)
        bench.server.expire()
        #expect(try await bench.get("/2") == "data")
        #expect(bench.pages == 3)
    }

    @Test func `RT-14 the next user does not wait for the cool-down of the one before`() async throws {
        let bench = try Bench(coolDown: .seconds(10))
        await bench.expectCancelled("/1")
        bench.session.endSession()
        #expect(try await bench.get("/2") == "data")
    }

    @Test func `RT-14 a login page that closes because the request was cancelled is no dismissal`() async throws {
        let server = LoginServer()
        let (page, late) = (Turnstile(), Turnstile())
        defer { late.open() }
        let isFirst = Mutex(true)
        let presenter = ScriptedPresenter { presentation in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isFirst else { return server.finished(presentation) }
            // A web view ends in this way when its task is cancelled.
            do { try await page.pass() } catch { throw PresentationFailure.dismissed }
            return server.finished(presentation)
        }
        let transport = ScriptedTransport { sent in
            if sent.path == "/late", sent["Cookie"] == nil { try await late.pass() }
            return server.answer(sent)
        }
        let session = Session(configuration: .test(presenter: presenter), transport: transport)
        session.register(try server.observer())
        let request = Task { try await session.send(.to("https://app.example/late")).text() }
        try await awaitCondition { late.arrivals == 1 }
        let first = Task { try await session.send(.to("https://app.example/first")) }
        try await awaitCondition { page.arrivals == 1 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        late.open()
        #expect(try await request.value == "data")
        #expect(presenter.presentations.count == 2)
    }

    @Test func `RT-14 a question to the application that its user dismisses answers all requests that were under way`()
        async throws
    {
        let late = Turnstile()
        defer { late.open() }
        let source = StubSource { number, _ in
            guard number > 1 else { throw CredentialFailure.cancelled }
            return "user"
        }
        let bench = try StubBench(source) { sent in
            if sent.path == "/late", sent["Authorization"] == nil { try await late.pass() }
        }
        let request = Task { try await bench.get("/late") }
        try await awaitCondition { late.arrivals == 1 }
        let first = await #expect(throws: CountersignError.self) { try await bench.get("/first") }
        #expect(first?.code == .cancelled)
        late.open()
        #expect((await request.error as? CountersignError)?.code == .cancelled)
        #expect(source.asked == 1)
        #expect(try await bench.get("/next") == "data")
        #expect(source.asked == 2)
    }

    @Test func `RT-14 a login for a token that the user dismisses answers all requests that were under way`() async throws {
        let (server, late) = (TokenServer(), Turnstile())
        defer { late.open() }
        let bench = try TokenBench(server) { sent in
            if sent.path == "/late", sent["Authorization"] == nil { try await late.pass() }
            return server.answer(sent)
        }
        server.conduct { number in
            guard number == 1 else { return }
            FlightScope.noteDismissal()
            throw TokenServer.Failure.cancelled
        }
        let request = Task { try await bench.get(TokenBench.origin + "/late") }
        try await awaitCondition { late.arrivals == 1 }
        await #expect(throws: TokenServer.Failure.cancelled) { try await bench.get() }
        late.open()
        await #expect(throws: TokenServer.Failure.cancelled) { try await request.value }
        #expect(server.obtained == 1)
        #expect(try await bench.get() == "data")
        #expect(server.obtained == 2)
    }
}
