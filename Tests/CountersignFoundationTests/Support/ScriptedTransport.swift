import Countersign
import Foundation
import HTTPTypes
import Synchronization

/// A transport that answers requests by a script, and records them.
final class ScriptedTransport: HTTPTransport {
    struct Sent: Sendable {
        let head: HTTPRequest
        let body: [UInt8]
        let timeout: Duration?
    }

    private struct State {
        var sent: [Sent] = []
        var isShutDown = false
    }

    private let state = Mutex(State())
    private let answer: @Sendable (_ number: Int, _ request: SessionRequest) async throws -> (HTTPResponse, ResponseBody)

    init(_ answer: @escaping @Sendable (_ number: Int, _ request: SessionRequest) async throws -> (HTTPResponse, ResponseBody)) {
        self.answer = answer
    }

    /// Makes a transport that always answers with the same response.
    convenience init(_ head: HTTPResponse = HTTPResponse(status: .ok), text: String = "") {
        self.init { _, _ in (head, ResponseBody(bytes: Array(text.utf8))) }
    }

    var sent: [Sent] { state.withLock { $0.sent } }
    var isShutDown: Bool { state.withLock { $0.isShutDown } }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        let body = try await request.body.bytes()
        let number = state.withLock { state in
            state.sent.append(Sent(head: request.head, body: body, timeout: request.timeout))
            return state.sent.count
        }
        let (head, responseBody) = try await answer(number, request)
        guard let url = request.head.url else { throw URLError(.badURL) }
        return SessionResponse(head: head, url: url, body: responseBody)
    }

    func shutdown() async throws { state.withLock { $0.isShutDown = true } }
}

extension RequestBody {
    fileprivate func bytes() async throws -> [UInt8] {
        switch content {
        case .none: []
        case .bytes(let bytes): bytes
        case .restartable(_, let make): try await read(try make())
        case .once(_, let stream): try await read(stream)
        }
    }

    private func read(_ stream: some ByteStream) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in stream { bytes += piece }
        return bytes
    }
}

/// Waits until the request is cancelled, in place of a response.
@Sendable
func never() async throws -> Never {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
}

/// The values that a completion handler receives, and their number.
final class Handed<Value: Sendable>: Sendable {
    private let values: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation
    private let counter = Mutex(0)

    init() { (values, continuation) = AsyncStream.makeStream() }

    var count: Int { counter.withLock { $0 } }

    func hand(_ value: Value) {
        counter.withLock { $0 += 1 }
        continuation.yield(value)
    }

    func next() async throws -> Value {
        var iterator = values.makeAsyncIterator()
        guard let value = await iterator.next() else { throw CancellationError() }
        return value
    }
}
