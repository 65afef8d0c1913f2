import Countersign
import CountersignAsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOPosix

extension SessionRequest {
    static func get(_ scheme: String = "http", port: Int, host: String = "localhost", _ path: String) -> SessionRequest {
        SessionRequest(HTTPRequest(method: .get, scheme: scheme, authority: "\(host):\(port)", path: path))
    }

    static func post(port: Int, _ path: String, body: RequestBody) -> SessionRequest {
        SessionRequest(HTTPRequest(method: .post, scheme: "http", authority: "localhost:\(port)", path: path), body: body)
    }
}

extension SessionResponse {
    func text() async throws -> String { String(decoding: try await body.collect(upTo: 1 << 20), as: UTF8.self) }
}

extension AsyncHTTPClientTransport.Configuration {
    static func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var configuration = Self()
        try change(&configuration)
        return configuration
    }
}

/// Waits until a counter has not changed for a number of rounds of the event loops, independent of time.
func untilStill(_ counter: Counter, rounds: Int = 500) async throws {
    var still = 0
    var last = counter.value
    while still < rounds {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try await loop.submit {}.get() }
        await Task.yield()
        let now = counter.value
        still = now == last ? still + 1 : 0
        last = now
    }
}

/// A stream that makes its chunks on demand.
struct Pieces: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    let make: @Sendable (_ index: Int) async throws -> [UInt8]?

    /// Returns a stream of the given number of bytes, in chunks of 64 KiB. The bytes of each chunk are counted when it is made.
    static func zeros(_ count: Int, made: Counter = Counter()) -> Pieces {
        Pieces { index in
            let size = Swift.min(65_536, count - index * 65_536)
            guard size > 0 else { return nil }
            made.add(size)
            return [UInt8](repeating: 0, count: size)
        }
    }

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
