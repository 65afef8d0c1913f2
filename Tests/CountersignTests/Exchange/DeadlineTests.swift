import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// The time limit of an exchange is separate from that of a login.
@Suite(.timeLimit(.minutes(10))) struct DeadlineTests {
    @Test func `each send has the remaining time, with redirects and resends counted and logins not`() async throws {
        let clock = ManualClock()
        let server = LoginServer()
        let transport = ScriptedTransport { sent in
            clock.advance(by: .seconds(10))
            if sent.path == "/a" { return .redirect(to: "/data") }
            return server.answer(sent)
        }
        let presenter = ScriptedPresenter { presentation in
            clock.advance(by: .seconds(200))
            return server.finished(presentation)
        }
        let session = Session(
            configuration: .test(presenter: presenter) { $0.clock = clock }, transport: transport)
        session.register(try server.observer())
        #expect(try await session.send(.to("https://app.example/a", timeout: .seconds(45))).text() == "data")
        #expect(transport.sent.map(\.request.timeout) == [.seconds(45), .seconds(35), .seconds(25)])
    }

    @Test func `an exchange whose time is over does not send again`() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport { sent in
            clock.advance(by: .seconds(40))
            return .redirect(to: "/b")
        }
        let session = Session(configuration: .test { $0.clock = clock }, transport: transport)
        let error = await #expect(throws: CountersignError.self) { try await session.send(.to("https://app.example/a", .delete)) }
        #expect(error?.code == .timedOut)
        #expect(error?.requestMethod == "DELETE")
        #expect(error?.origin?.description == "https://app.example")
        #expect(transport.sent.count == 2)
    }

    @Test(arguments: [true, false])
    func `a transport's timeout is the exchange's, or is reported as its own limit`(_ isTheExchange: Bool)
        async throws
    {
        let clock = ManualClock()
        let transport = ScriptedTransport { sent in
            if isTheExchange { clock.advance(by: try #require(sent.request.timeout)) }
            throw TransportError(.timeout, detail: "no connection in time", requestMayHaveBeenProcessed: true)
        }
        let session = Session(configuration: .test { $0.clock = clock }, transport: transport)
        let error = await #expect(throws: CountersignError.self) { try await session.send(.to("https://app.example/")) }
        #expect(error?.code == .timedOut)
        #expect(error?.origin != nil)
        #expect((error?.detail == "no connection in time") == !isTheExchange)
    }

    @Test func `a login that nobody ends is given up at its own limit, and its page is closed`() async throws {
        let clock = ManualClock()
        let (shown, closed) = (Turnstile(), Turnstile())
        let server = LoginServer()
        let presenter = ScriptedPresenter { presentation in
            do { try await shown.pass() } catch {
                closed.open()
                throw error
            }
            return server.finished(presentation)
        }
        let session = Session(
            configuration: .test(presenter: presenter) {
                $0.clock = clock
                $0.interactiveTimeout = .seconds(120)
            }, transport: ScriptedTransport { server.answer($0) })
        session.register(try server.observer())
        let response = Task { try await session.send(.to("https://app.example/data")) }
        await shown.arrivals(1)
        await clock.sleepers(1)
        clock.advance(by: .seconds(120))
        let error = await #expect(throws: CountersignError.self) { try await response.value }
        #expect(error?.code == .timedOut)
        #expect(error?.authenticationMethod == "login")
        #expect(error?.requestMethod == "GET")
        #expect(error?.status == 200)
        try await closed.pass()
    }

    /// Makes a body with one byte a minute, or without any.
    private static func slowBody(_ clock: ManualClock, isSilent: Bool = false, cancelled: Counter = Counter()) -> ResponseBody {
        ResponseBody(
            AsyncThrowingStream<[UInt8], any Error> {
                try await clock.sleep(for: isSilent ? .seconds(1 << 40) : .seconds(60))
                return [UInt8(ascii: "x")]
            }, cancel: { cancelled.increment() })
    }

    /// Advances the clock by a minute whenever a task waits for it. A request that never ends is cancelled.
    private func passTime(_ clock: ManualClock, until request: Task<SessionResponse, any Error>) async
        -> Result<SessionResponse, any Error>
    {
        let time = Task {
            let end = ContinuousClock.now.advanced(by: longestWait)
            while !Task.isCancelled, ContinuousClock.now < end {
                await Task.yield()
                if clock.isAwaited { clock.advance(by: .seconds(60)) }
            }
            if !Task.isCancelled { request.cancel() }
        }
        defer { time.cancel() }
        return await request.result
    }

    @Test(arguments: [true, false])
    func `L2 a body of one byte a minute that may be a challenge ends in a typed error when the request's time is over`(
        _ isSilent: Bool
    ) async throws {
        let (clock, cancelled) = (ManualClock(), Counter())
        let transport = ScriptedTransport { _ in
            Reply(401, body: Self.slowBody(clock, isSilent: isSilent, cancelled: cancelled))
        }
        let session = Session(configuration: .test { $0.clock = clock }, transport: transport)
        let observer = SpyObserver(needsBody: true)
        session.register(observer)
        let request = Task { try await session.send(.to("https://app.example/", timeout: .seconds(90))) }
        let result = await passTime(clock, until: request)
        let error = #expect(throws: CountersignError.self) { try result.get() }
        #expect(error?.code == .timedOut)
        #expect(error?.status == 401)
        #expect(error?.origin?.description == "https://app.example")
        #expect(observer.count("classify") == 0)
        #expect(cancelled.count == 1)
        #expect(transport.sent.count == 1)
    }

    @Test func `L2 the rest of a long body whose beginning was read is released before the login begins`() async throws {
        let (released, early) = (Counter(), Counter())
        let transport = ScriptedTransport { sent in
            sent.number == 1 ? Reply(401, body: ResponseBody(EndlessPage(released: released))) : .text("data")
        }
        let session = Session(configuration: .test(), transport: transport)
        session.register(
            SpyObserver(
                needsBody: true,
                classify: { response, _ in response.status == .unauthorized ? .challenge(signature: "page") : .pass },
                recover: { _, _ in if await comesTrue({ released.count == 1 }) { early.increment() } }))
        #expect(try await session.send(.to("https://app.example/")).text() == "data")
        #expect(early.count == 1)
    }

    /// A page without an end. Counts the iterators that were released, each of which would keep a connection.
    private struct EndlessPage: AsyncSequence, Sendable {
        typealias Element = [UInt8]
        typealias Failure = any Error

        let released: Counter

        func makeAsyncIterator() -> Iterator { Iterator(life: Life(released: released)) }

        struct Iterator: AsyncIteratorProtocol {
            let life: Life

            mutating func next() async throws -> [UInt8]? { [UInt8](repeating: UInt8(ascii: "x"), count: 16_384) }
        }

        final class Life: Sendable {
            private let released: Counter

            init(released: Counter) { self.released = released }

            deinit { released.increment() }
        }
    }

    @Test func `a time limit without an end is used as a very long one`() async throws {
        // `ContinuousClock` stops the program at a sleep of so many seconds.
        let configuration = SessionConfiguration.test {
            $0.requestTimeout = .seconds(Int64.max)
            $0.flightTimeout = .seconds(Int64.max)
            $0.interactiveTimeout = .seconds(Int64.max)
        }
        let used = Session(configuration: configuration, transport: ScriptedTransport { _ in .text("") }).configuration
        for limit in [used.requestTimeout, used.flightTimeout, used.interactiveTimeout] {
            #expect(limit > .seconds(900_000_000) && limit < .seconds(9_000_000_000))
        }
    }

    @Test func `L2 a request without a time limit may carry a body that is read to recognize a challenge`() async throws {
        let transport = ScriptedTransport { _ in .text("data") }
        let session = Session(configuration: .test { $0.clock = ContinuousClock() }, transport: transport)
        session.register(SpyObserver(needsBody: true))
        #expect(try await session.send(.to("https://app.example/", timeout: .seconds(Int64.max))).text() == "data")
    }

    @Test func `L2 a body whose beginning comes in time is handed over whole`() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport { _ in .text(String(repeating: "data", count: 4_096)) }
        let session = Session(configuration: .test { $0.clock = clock }, transport: transport)
        session.register(SpyObserver(needsBody: true))
        #expect(try await session.send(.to("https://app.example/")).text().count == 4 * 4_096)
        #expect(!clock.isAwaited)
    }

    @Test func `RT-45 the body of a challenge that comes one byte a minute is cut off, and the login goes on`() async throws {
        let (clock, server) = (ManualClock(), LoginServer())
        let transport = ScriptedTransport { sent in
            guard !server.knows(sent) else { return .text("data") }
            var challenge = server.challenge
            challenge.body = Self.slowBody(clock)
            return challenge
        }
        let session = Session(
            configuration: .test(presenter: server.presenter()) { $0.clock = clock }, transport: transport)
        session.register(try server.observer())
        let request = Task { try await session.send(.to("https://app.example/", timeout: .seconds(90))) }
        await clock.sleepers(2)
        clock.advance(by: .seconds(2))
        #expect(try await request.value.text() == "data")
    }

    @Test func `L2 cancelling a request while the beginning of a body is awaited ends it at once`() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport { _ in Reply(401, body: Self.slowBody(clock)) }
        let session = Session(configuration: .test { $0.clock = clock }, transport: transport)
        session.register(SpyObserver(needsBody: true))
        let request = Task { try await session.send(.to("https://app.example/")) }
        #expect(await comesTrue { clock.isAwaited })
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
    }
}
