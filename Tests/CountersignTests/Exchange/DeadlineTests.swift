import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// The limit of an exchange and the limit of a login are two.
@Suite(.timeLimit(.minutes(10))) struct DeadlineTests {
    @Test func `the transport is told what is left, for each send, with redirects and resends counted and logins not`() async throws
    {
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
    func `a transport's timeout is the exchange's, or is told as the limit of its own that it is`(_ isTheExchange: Bool)
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
}
