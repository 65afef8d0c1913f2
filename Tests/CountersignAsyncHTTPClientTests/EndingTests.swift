import Countersign
import CountersignAsyncHTTPClient
import NIOCore
import TestServers
import TestTurns
import Testing

/// Exchanges that the caller ends early.
@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct EndingTests {
    @Test func `cancelling the task that sends closes the connection`() async throws {
        let received = Signal()
        let closed = Signal()
        try await withRawServer { connection in
            _ = try await connection.readHead()
            received.fire()
            _ = await connection.drain()
            closed.fire()
        } body: { port in
            let transport = AsyncHTTPClientTransport()
            let task = Task { _ = try await transport.send(.get(port: port, "/")) }
            await received.wait()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await within("the connection is closed") { await closed.wait() }
        }
    }

    enum Ending: CaseIterable { case dropped, droppedWhileReading, cancelled, cancelledWhileReading }

    @Test(arguments: Ending.allCases)
    func `a body that is dropped or cancelled closes the connection`(ending: Ending) async throws {
        let closed = Signal()
        try await withRawServer { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nstart")
            _ = await connection.drain()
            closed.fire()
        } body: { port in
            let transport = AsyncHTTPClientTransport()
            try await end(try await transport.send(.get(port: port, "/")).body, ending)
            try await within("the connection is closed") { await closed.wait() }
        }
    }

    private func end(_ body: consuming ResponseBody, _ ending: Ending) async throws {
        switch ending {
        case .dropped: break
        case .cancelled:
            body.cancel()
            var iterator = body.makeAsyncIterator()
            await #expect(throws: CancellationError.self) { _ = try await iterator.next() }
        case .droppedWhileReading:
            var iterator = body.makeAsyncIterator()
            #expect(try await iterator.next()?.count == 5)
        case .cancelledWhileReading:
            await #expect(throws: CountersignError.self) { _ = try await body.collect(upTo: 3) }
        }
    }

    @Test func `the limit of a request counts while it waits for the head`() async throws {
        try await withRawServer { connection in
            _ = await connection.drain()
        } body: { port in
            var request = SessionRequest.get(port: port, "/")
            request.timeout = .milliseconds(20)
            let sent = request
            let error = await #expect(throws: TransportError.self) { _ = try await AsyncHTTPClientTransport().send(sent) }
            #expect(error?.reason == .timeout)
        }
    }

    @Test func `the limit of a request counts while it waits its turn`() async throws {
        let first = Signal()
        let mayAnswer = Signal()
        try await withRawServer { connection in
            _ = try await connection.readHead()
            first.fire()
            await mayAnswer.wait()
            try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
        } body: { port in
            let transport = AsyncHTTPClientTransport(configuration: .with { $0.maximumConnectionsPerHost = 1 })
            let start = ContinuousClock.now
            async let one = transport.send(.get(port: port, "/")).text()
            await first.wait()
            var request = SessionRequest.get(port: port, "/")
            request.timeout = .milliseconds(20)
            let sent = request
            let error = await #expect(throws: TransportError.self) { _ = try await transport.send(sent) }
            #expect(error?.reason == .timeout)
            // After a second the first exchange no longer counts against the limit, so the other one may have been sent.
            if start.duration(to: .now) < .seconds(1) { #expect(error?.requestMayHaveBeenProcessed == false) }
            mayAnswer.fire()
            let answer = try await one
            #expect(answer == "ok")
        }
    }

    @Test func `a request that waits its turn can be cancelled and does not hold up the others`() async throws {
        let first = Signal()
        let mayAnswer = Signal()
        try await withRawServer { connection in
            while try await connection.readHead() != nil {
                first.fire()
                await mayAnswer.wait()
                try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
            }
        } body: { port in
            let transport = AsyncHTTPClientTransport(configuration: .with { $0.maximumConnectionsPerHost = 1 })
            async let one = transport.send(.get(port: port, "/")).text()
            await first.wait()
            let two = Task { try await transport.send(.get(port: port, "/")).text() }
            async let three = transport.send(.get(port: port, "/")).text()
            two.cancel()
            await #expect(throws: CancellationError.self) { _ = try await two.value }
            mayAnswer.fire()
            let answers = try await [one, three]
            #expect(answers == ["ok", "ok"])
        }
    }
}
