internal import AsyncHTTPClient
internal import NIOCore
internal import Synchronization

/// The bytes of a response, pulled from the socket as they are read; ends the exchange when they end or are not wanted any more.
///
/// The client closes an exchange whose body is dropped, so this holds the body in one place at a time: here, then in the reader.
final class ExchangeBody: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    private let unread: Mutex<HTTPClientResponse.Body?>
    private let exchange: Exchange

    init(_ body: HTTPClientResponse.Body, exchange: Exchange) {
        unread = Mutex(body)
        self.exchange = exchange
    }

    /// Ends the exchange. A reader that waits for bytes at this moment gets `CancellationError` with the next that arrive.
    func cancel() {
        exchange.cancel()
        // With a reader, the reader ends it.
        if takeUnread() != nil { exchange.end() }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(reader: takeUnread().map { Reader($0.makeAsyncIterator(), exchange: exchange) })
    }

    private func takeUnread() -> HTTPClientResponse.Body? {
        unread.withLock { unread in
            defer { unread = nil }
            return unread
        }
    }

    struct Iterator: AsyncIteratorProtocol {
        let reader: Reader?

        mutating func next() async throws -> [UInt8]? {
            guard let reader else { throw CancellationError() }
            return try await reader.next()
        }
    }

    /// A class, so that the exchange ends when the last copy of an iterator goes.
    final class Reader {
        private var base: HTTPClientResponse.Body.AsyncIterator?
        private let exchange: Exchange

        init(_ base: HTTPClientResponse.Body.AsyncIterator, exchange: Exchange) {
            self.base = base
            self.exchange = exchange
        }

        deinit { exchange.end() }

        func next() async throws -> [UInt8]? {
            guard base != nil else { return nil }
            do {
                let piece = try await base?.next()
                // Without an iterator the exchange ends when the body does; this is the case of a cancelled one.
                if exchange.isCancelled { throw CancellationError() }
                if let piece { return Array(piece.readableBytesView) }
                base = nil
                exchange.end()
                return nil
            } catch {
                base = nil
                let described = exchange.describe(error)
                exchange.end()
                throw described
            }
        }
    }
}
