import Countersign
import CountersignAsyncHTTPClient
import CountersignURLSession
import HTTPTypes
import Synchronization
import Testing

/// A transport that the tests of the contract are run with.
struct TransportKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () -> any HTTPTransport

    static let all = [
        TransportKind(testDescription: "URLSession") { URLSessionTransport() },
        TransportKind(testDescription: "async-http-client") { AsyncHTTPClientTransport() },
    ]
}

extension SessionRequest {
    static func get(port: Int, scheme: String = "http", _ path: String = "/") -> SessionRequest {
        SessionRequest(HTTPRequest(method: .get, scheme: scheme, authority: "127.0.0.1:\(port)", path: path))
    }

    static func post(port: Int, _ path: String = "/", body: RequestBody = .none) -> SessionRequest {
        SessionRequest(HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1:\(port)", path: path), body: body)
    }
}

extension SessionResponse {
    func text() async throws -> String { String(decoding: try await body.collect(upTo: 1 << 20), as: UTF8.self) }
}

/// A stream that makes its pieces on demand.
struct Pieces: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    let make: @Sendable (_ index: Int) async throws -> [UInt8]?

    func makeAsyncIterator() -> Iterator { Iterator(make: make) }

    struct Iterator: AsyncIteratorProtocol {
        let make: @Sendable (Int) async throws -> [UInt8]?
        var index = 0

        mutating func next() async throws -> [UInt8]? {
            defer { index += 1 }
            return try await make(index)
        }
    }
}

/// A counter that several tasks increment.
final class Counter: Sendable {
    private let state = Mutex(0)

    var value: Int { state.withLock(\.self) }

    @discardableResult
    func add(_ amount: Int = 1) -> Int {
        state.withLock { value in
            value += amount
            return value
        }
    }

    /// Waits until the counter has a value; returns earlier when the task is cancelled.
    func reaches(_ goal: Int) async {
        while value < goal, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(2)) }
    }
}
