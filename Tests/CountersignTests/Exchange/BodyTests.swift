import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// Request and response bodies when a request is challenged.
@Suite(.timeLimit(.minutes(10))) struct BodyTests {
    @Test func `RT-42 a restartable upload is sent again byte by byte`() async throws {
        let server = LoginServer()
        let bodies = Mutex<[[UInt8]]>([])
        let transport = ScriptedTransport { sent in
            let body = try await sent.body()
            bodies.withLock { $0.append(body) }
            return server.answer(sent)
        }
        let session = Session(configuration: .test(presenter: server.presenter()), transport: transport)
        session.register(try server.observer())
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let body = RequestBody.restartable(length: bytes.count) {
            AsyncThrowingStream { continuation in
                for start in stride(from: 0, to: bytes.count, by: 4_096) {
                    continuation.yield(Array(bytes[start..<min(start + 4_096, bytes.count)]))
                }
                continuation.finish()
            }
        }

        _ = try await session.send(.to("https://app.example/upload", .put, body: body))

        #expect(bodies.withLock { $0 } == [bytes, bytes])
    }

    @Test func `RT-42 a single-use upload that is challenged ends in a typed error, without a login or a resend`() async throws {
        let server = LoginServer()
        let presenter = server.presenter()
        let transport = ScriptedTransport { sent in
            _ = try await sent.body()
            return server.challenge
        }
        let session = Session(configuration: .test(presenter: presenter), transport: transport)
        session.register(try server.observer())
        let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield([1, 2, 3])
            continuation.finish()
        }
        let error = await #expect(throws: CountersignError.self) {
            try await session.send(.to("https://app.example/upload", .put, body: .once(stream)))
        }
        #expect(error?.code == .bodyNotReplayable)
        #expect(error?.requestMethod == "PUT")
        #expect(error?.status == 200)
        #expect(presenter.presentations.isEmpty)
        #expect(transport.sent.count == 1)
    }

    @Test func `RT-43 an upload that is still running when it is challenged is ended before it is sent again`() async throws {
        let server = LoginServer()
        let journal = Mutex<[String]>([])
        let transport = ScriptedTransport { sent in
            journal.withLock { $0.append("send") }
            guard !server.knows(sent) else { return .text("\(try await sent.body().count)") }
            var challenge = server.challenge
            challenge.body = ResponseBody(
                AsyncThrowingStream<[UInt8], any Error> { $0.finish() }, cancel: { journal.withLock { $0.append("abort") } })
            return challenge
        }
        let session = Session(configuration: .test(presenter: server.presenter()), transport: transport)
        session.register(try server.observer())
        let body = RequestBody.restartable {
            AsyncThrowingStream {
                $0.yield([1, 2, 3]); $0.finish()
            }
        }
        #expect(try await session.send(.to("https://app.example/upload", .put, body: body)).text() == "3")
        #expect(journal.withLock { $0 } == ["send", "abort", "send"])
    }

    @Test func `RT-43 cancelling the caller during an upload cancels the send`() async throws {
        let upload = Turnstile()
        let transport = ScriptedTransport { _ in
            try await upload.pass()
            return .text("")
        }
        let session = Session(configuration: .test(), transport: transport)
        let task = Task { try await session.send(.to("https://app.example/upload", .put, body: .bytes([1]))) }
        await upload.arrivals(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(transport.sent.count == 1)
    }

    @Test func `RT-45 a challenge's body is read to its end when it is small`() async throws {
        let read = try await bytesRead(ofChallengeWith: 16, pieces: 4)
        #expect(read == 64)
    }

    @Test func `RT-45 an endless challenge body is cut off at the limit`() async throws {
        let read = try await bytesRead(ofChallengeWith: 1_024, pieces: nil)
        #expect(read > 64 * 1_024)
        #expect(read <= 66 * 1_024)
    }

    private func bytesRead(ofChallengeWith size: Int, pieces: Int?) async throws -> Int {
        let server = LoginServer()
        let count = Mutex(0)
        let transport = ScriptedTransport { sent in
            guard !server.knows(sent) else { return .text("data") }
            var challenge = server.challenge
            challenge.body = ResponseBody(
                AsyncThrowingStream<[UInt8], any Error> {
                    let read = count.withLock { count in
                        count += size
                        return count
                    }
                    if let pieces, read > pieces * size {
                        count.withLock { $0 -= size }
                        return nil
                    }
                    return [UInt8](repeating: 0, count: size)
                })
            return challenge
        }
        let session = Session(configuration: .test(presenter: server.presenter()), transport: transport)
        session.register(try server.observer())
        #expect(try await session.send(.to("https://app.example/data")).text() == "data")
        return count.withLock { $0 }
    }

    @Test func `RT-45 a challenge body that stalls is given up after a moment`() async throws {
        let server = LoginServer()
        let isAborted = Mutex(false)
        let transport = ScriptedTransport { sent in
            guard !server.knows(sent) else { return .text("data") }
            var challenge = server.challenge
            let (stream, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            challenge.body = ResponseBody(
                stream,
                cancel: {
                    isAborted.withLock { $0 = true }
                    continuation.finish()
                })
            return challenge
        }
        let clock = ManualClock()
        let session = Session(configuration: .test(presenter: server.presenter()) { $0.clock = clock }, transport: transport)
        session.register(try server.observer())
        let response = Task { try await session.send(.to("https://app.example/data")) }
        await clock.sleepers(1)
        #expect(!isAborted.withLock { $0 })
        clock.advance(by: .seconds(2))
        #expect(try await response.value.text() == "data")
        #expect(isAborted.withLock { $0 })
    }

    @Test func `the final body is not touched before the caller reads it`() async throws {
        let count = Mutex(0)
        let transport = ScriptedTransport { _ in
            Reply(
                200,
                body: ResponseBody(
                    AsyncThrowingStream<[UInt8], any Error> {
                        count.withLock { $0 += 1 }
                        return [0]
                    }))
        }
        let session = Session(configuration: .test(), transport: transport)
        session.register(try LoginServer().observer())
        let response = try await session.send(.to("https://app.example/data"))
        #expect(count.withLock { $0 } == 0)
        var iterator = response.body.makeAsyncIterator()
        _ = try await iterator.next()
        #expect(count.withLock { $0 } == 1)
    }

    struct Loss: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let body: RequestBody
        let mayHaveBeenProcessed: Bool
        let sends: Int
        var testDescription: String { "\(method) \(mayHaveBeenProcessed)" }
    }

    @Test(arguments: [
        Loss(method: .get, body: .none, mayHaveBeenProcessed: true, sends: 2),
        Loss(method: .put, body: .text("x"), mayHaveBeenProcessed: true, sends: 2),
        Loss(method: .delete, body: .none, mayHaveBeenProcessed: true, sends: 2),
        Loss(method: .post, body: .text("x"), mayHaveBeenProcessed: false, sends: 2),
        Loss(method: .post, body: .text("x"), mayHaveBeenProcessed: true, sends: 1),
        Loss(method: .patch, body: .text("x"), mayHaveBeenProcessed: true, sends: 1),
        Loss(method: .put, body: .once(AsyncThrowingStream { $0.finish() }), mayHaveBeenProcessed: false, sends: 1),
    ])
    func `RT-44 a lost connection is tried once more where that can do no harm`(_ loss: Loss) async throws {
        let transport = ScriptedTransport { _ in
            throw TransportError(.connectionLost, detail: "reset", requestMayHaveBeenProcessed: loss.mayHaveBeenProcessed)
        }
        let session = Session(configuration: .test(), transport: transport)
        let error = await #expect(throws: TransportError.self) {
            try await session.send(.to("https://app.example/data", loss.method, body: loss.body))
        }
        #expect(error?.reason == .connectionLost)
        #expect(transport.sent.count == loss.sends)
    }

    @Test(arguments: [TransportError.Reason.connect, .tls, .pinMismatch, .nameResolution, .proxy(status: 407), .malformed, .other])
    func `RT-44 other failures pass through, and say what was sent where`(_ reason: TransportError.Reason) async throws {
        let failure = TransportError(reason, detail: "no", requestMayHaveBeenProcessed: false)
        let transport = ScriptedTransport { _ in throw failure }
        let session = Session(configuration: .test(), transport: transport)
        let error = await #expect(throws: TransportError.self) { try await session.send(.to("https://app.example/data")) }
        #expect(error?.reason == reason)
        #expect(error?.description.hasPrefix("GET https://app.example: no [transport.") == true)
        #expect(transport.sent.count == 1)
    }
}
