import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

@testable import Countersign

/// Registration, invalidation, and the closing of transports.
@Suite(.timeLimit(.minutes(10))) struct SessionLifeTests {
    @Test(.exitsAlone) func `M3 registering the same observer twice stops the program and names the observer`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let session = Session(transport: ScriptedTransport { _ in Reply() })
            let observer = SpyObserver(name: "FamousObserver")
            session.register(observer)
            session.register(observer)
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("FamousObserver is registered on this session already"))
    }

    @Test func `two observers of one kind, and one observer on two sessions, are fine`() {
        let sessions = (0..<2).map { _ in Session(transport: ScriptedTransport { _ in Reply() }) }
        let observers = [SpyObserver(), SpyObserver()]
        for session in sessions { for observer in observers { session.register(observer) } }
        #expect(observers.allSatisfy { $0.count("didRegister") == 2 })
    }

    @Test func `an observer that was taken off is asked no more, and can be registered again`() async throws {
        let session = Session(configuration: .test(), transport: ScriptedTransport { _ in Reply() })
        let observer = SpyObserver()
        session.register(observer)
        session.unregister(observer)
        session.unregister(observer)
        _ = try await session.send(.to("https://app.example/"))
        #expect(observer.calls == ["didRegister", "didEndSession"])
        session.register(observer)
        #expect(observer.calls.last == "didRegister")
    }

    @Test func `an authenticator knows the session that its observer is registered on, and does not keep it alive`() async throws {
        let server = LoginServer()
        let observer = try server.observer(presenter: server.presenter())
        await #expect(throws: CountersignError.self) { try await observer.authenticator.authenticate() }
        weak var gone: Session?
        do {
            let session = Session(configuration: .test(), transport: ScriptedTransport { _ in Reply() })
            gone = session
            session.register(observer)
            try await observer.authenticator.authenticate()
            #expect(session.cookies.all.map(\.value) == ["s1"])
            session.unregister(observer)
            #expect(observer.authenticator.registeredSession == nil)
            session.register(observer)
            #expect(observer.authenticator.registeredSession === session)
        }
        // The flight's own task may end a moment after its waiters. If a reference keeps the session alive, the test reaches its
        // time limit.
        while gone != nil { await Task.yield() }
        #expect(observer.authenticator.registeredSession == nil)
    }

    @Test(arguments: [true, false]) func `an invalidated session takes no requests and closes its own transport once`(
        _ cancelling: Bool
    ) async throws {
        let transport = ScriptedTransport { _ in Reply() }
        let session = Session(configuration: .test(), transport: transport)
        await session.invalidate(cancelling: cancelling)
        await session.invalidate(cancelling: true)
        let error = await #expect(throws: CountersignError.self) { try await session.send(.to("https://app.example/", .put)) }
        #expect(error?.code == .sessionInvalidated)
        #expect(error?.requestMethod == "PUT")
        #expect(transport.sent.isEmpty)
        #expect(transport.shutdowns == 1)
    }

    @Test(arguments: [true, false])
    func `invalidating with cancelling ends what is under way, on an own transport and on a shared one`(
        _ ownsTransport: Bool
    ) async throws {
        let answer = Turnstile()
        let transport = ScriptedTransport { _ in
            try await answer.pass()
            return Reply()
        }
        let session = Session(configuration: .test(), transport: transport, ownsTransport: ownsTransport)
        let caller = Task {
            let error = await #expect(throws: CountersignError.self) { try await session.send(.to("https://app.example/")) }
            #expect(!Task.isCancelled)
            return error?.code
        }
        await answer.arrivals(1)
        await session.invalidate(cancelling: true)
        #expect(await caller.value == .sessionInvalidated)
        #expect(transport.shutdowns == (ownsTransport ? 1 : 0))
    }

    @Test(arguments: [true, false]) func `invalidating with cancelling ends a login and its waiting requests`(_ ownsTransport: Bool)
        async throws
    {
        let server = LoginServer()
        let login = Turnstile()
        let session = Session(
            configuration: .test(presenter: server.presenter(after: login)), transport: ScriptedTransport { server.answer($0) },
            ownsTransport: ownsTransport)
        session.register(try server.observer())
        let response = Task { try await session.send(.to("https://app.example/")) }
        await login.arrivals(1)
        await session.invalidate(cancelling: true)
        let error = await #expect(throws: CountersignError.self) { try await response.value }
        #expect(error?.code == .sessionInvalidated)
    }

    @Test func `M6 invalidating with cancelling ends a login for a token and its waiting requests`() async throws {
        let (shown, closed) = (Turnstile(), Gate())
        let bench = try TokenBench()
        bench.server.conduct { _ in
            do { try await shown.pass() } catch {
                closed.open()
                throw error
            }
        }
        let request = Task { try await bench.get() }
        await shown.arrivals(1)
        await bench.session.invalidate(cancelling: true)
        let result = await ending(of: request)
        #expect((#expect(throws: CountersignError.self) { try result.get() })?.code == .sessionInvalidated)
        await closed.pass()
        #expect(try bench.store.token(for: bench.url) == nil)
    }

    @Test
    func `M6 RT-18 a renewal that is under way when the session is invalidated is stored, since its answer may exist only once`()
        async throws
    {
        let (gate, bench) = (Gate(), try TokenBench())
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        bench.server.conduct { _ in await gate.passDeaf() }
        let request = Task { try await bench.get() }
        #expect(await comesTrue { bench.server.renewed == 1 })
        await bench.session.invalidate(cancelling: true)
        let result = await ending(of: request)
        #expect((#expect(throws: CountersignError.self) { try result.get() })?.code == .sessionInvalidated)
        gate.open()
        #expect(try await comesTrue { try bench.store.token(for: bench.url)?.accessToken == "access2" })
    }

    @Test func `M6 a login for which a request of another session waits is stored although the first session was invalidated`()
        async throws
    {
        let (gate, bench) = (Gate(), try TokenBench())
        defer { gate.open() }
        bench.server.conduct { _ in await gate.passDeaf() }
        let transport = ScriptedTransport { bench.server.answer($0) }
        let other = Session(configuration: .test { $0.clock = bench.clock }, transport: transport)
        other.register(bench.observer)
        let request = Task { try await bench.get() }
        #expect(await comesTrue { bench.server.obtained == 1 })
        let waiting = Task { try await other.send(.to("\(TokenBench.origin)/data")).head.status.code }
        let credentials = try #require(bench.observer.credentials)
        #expect(await comesTrue { credentials.spaces.withLock { $0.all.first?.coordinator.waiterCount } == 2 })
        await bench.session.invalidate(cancelling: true)
        _ = await ending(of: request)
        gate.open()
        #expect(try await waiting.value == 200)
        #expect(try await comesTrue { try bench.store.token(for: bench.url) != nil })
    }

    @Test(arguments: [true, false])
    func `M6 a token that was deleted after the session was invalidated is not brought back by what ends later`(
        _ isRenewal: Bool
    ) async throws {
        let (gate, bench) = (Gate(), try TokenBench(TokenServer(isInteractive: false)))
        defer { gate.open() }
        if isRenewal { try bench.keepToken(endingIn: -1) }
        bench.server.expire()
        bench.server.conduct { _ in await gate.passDeaf() }
        let request = Task { try await bench.get() }
        #expect(await comesTrue { bench.server.renewed + bench.server.obtained == 1 })
        await bench.session.invalidate(cancelling: true)
        _ = await ending(of: request)
        try bench.store.deleteToken(for: bench.url)
        gate.open()
        #expect(await comesTrue { bench.session.state.withLock { $0.savesUnderWay } == 0 })
        #expect(try bench.store.token(for: bench.url) == nil)
    }

    @Test(arguments: [true, false]) func `M6 invalidating with cancelling ends a prompt and its waiting requests`(
        _ isChallenged: Bool
    ) async throws {
        let (asked, closed) = (Turnstile(), Gate())
        let source = StubSource { _, _ in
            do { try await asked.pass() } catch {
                closed.open()
                throw error
            }
            return "key"
        }
        let session = try StubBench(source, isChallenged ? .challenged : .eager, accepts: { _, _ in false }).session
        let request = Task { try await session.send(.to("https://app.example/")) }
        await asked.arrivals(1)
        await session.invalidate(cancelling: true)
        let result = await ending(of: request)
        #expect((#expect(throws: CountersignError.self) { try result.get() })?.code == .sessionInvalidated)
        await closed.pass()
    }

    @Test(arguments: [true, false])
    func `invalidating without cancelling waits for what is under way, logins and their requests included`(
        _ ownsTransport: Bool
    ) async throws {
        let server = LoginServer()
        let login = Turnstile()
        let transport = ScriptedTransport { sent in
            switch sent.path {
            case "/token": Reply(200, [("Set-Cookie", "\(server.name)=\(server.logIn().value); Path=/")])
            case "/probe": Reply()
            default: server.answer(sent)
            }
        }
        let session = Session(configuration: .test(), transport: transport, ownsTransport: ownsTransport)
        session.register(
            LoginObserver(
                name: "own", authenticator: LoginAuthenticator(method: .login(), parameters: try server.parameters()),
                authenticate: { session in
                    try await login.pass()
                    _ = try await session.send(.to("https://app.example/token"))
                }))
        let response = Task { try await session.send(.to("https://app.example/data")) }
        await login.arrivals(1)
        let invalidation = Task { await session.invalidate(cancelling: false) }
        // From here on a new request is refused, and only then may the login continue.
        while (try? await session.send(.to("https://app.example/probe"))) != nil { await Task.yield() }
        #expect(transport.shutdowns == 0)
        login.open()
        #expect(try await response.value.text() == "data")
        await invalidation.value
        #expect(transport.shutdowns == (ownsTransport ? 1 : 0))
    }

    @Test func `whatever invalidates a session waits until its transport is shut down`() async {
        let transport = SlowlyClosingTransport()
        let session = Session(configuration: .test(), transport: transport)
        let first = Task { await session.invalidate(cancelling: false) }
        await transport.isClosing.pass()
        let second = Task {
            await session.invalidate(cancelling: true)
            return transport.isClosed
        }
        // The second invalidation has called the transport by now, or has returned too early.
        for _ in 0..<100 { await Task.yield() }
        transport.mayClose.open()
        #expect(await second.value)
        await first.value
    }

    @Test func `cancelling the caller of a shared transport's session cancels the send`() async throws {
        let answer = Turnstile()
        let transport = ScriptedTransport { _ in
            try await answer.pass()
            return Reply()
        }
        let session = Session(configuration: .test(), transport: transport, ownsTransport: false)
        let caller = Task { try await session.send(.to("https://app.example/")) }
        await answer.arrivals(1)
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
    }
}

/// A transport whose shutdown takes until the test continues.
private final class SlowlyClosingTransport: HTTPTransport {
    let isClosing = Gate()
    let mayClose = Gate()
    private let closed = Mutex(false)

    var isClosed: Bool { closed.withLock { $0 } }

    func send(_ request: SessionRequest) async throws -> SessionResponse { throw CancellationError() }

    func shutdown() async throws {
        isClosing.open()
        await mayClose.pass()
        closed.withLock { $0 = true }
    }
}
