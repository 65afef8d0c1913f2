internal import AsyncHTTPClient
internal import Countersign
internal import HTTPTypes
internal import NIOCore
internal import Synchronization

/// The body of a response, read from the socket on demand. It ends the exchange when it is complete or no longer needed.
///
/// The client closes an exchange whose body is released, so only one object holds the body: first this one, then the reader.
final class ExchangeBody: BodySource {
    private let fields: HTTPFields
    private let unread: Mutex<HTTPClientResponse.Body?>
    private let exchange: Exchange

    init(_ body: HTTPClientResponse.Body, after head: HTTPResponse, exchange: Exchange) {
        fields = head.headerFields
        unread = Mutex(body)
        self.exchange = exchange
    }

    var expectedLength: Int? { fields[.contentLength].flatMap { Int($0) } }

    /// Ends the exchange. A reader that is waiting for bytes receives `CancellationError` when the next ones arrive.
    func cancel() {
        exchange.cancel()
        // If there is a reader, the reader ends the exchange.
        if unread.withLock({ $0.take() }) != nil { exchange.end() }
    }

    func makeReader() -> any BodyReader {
        // A second reader throws an error, since the first one has the body.
        Reader(unread.withLock { $0.take() }.map { $0.makeAsyncIterator() }, exchange: exchange)
    }

    /// The reader of the body. It is a class, so that the exchange ends when the last copy of an iterator is released.
    private final class Reader: BodyReader {
        private enum State {
            case reading(HTTPClientResponse.Body.AsyncIterator)
            case ended
            /// Another reader has the body.
            case without
        }

        private var state: State
        private let exchange: Exchange

        init(_ base: HTTPClientResponse.Body.AsyncIterator?, exchange: Exchange) {
            state = base.map { .reading($0) } ?? .without
            self.exchange = exchange
        }

        deinit { if case .reading = state { exchange.end() } }

        func next() async throws -> [UInt8]? { try await piece().map { Array($0.readableBytesView) } }

        func next(_ use: (UnsafeRawBufferPointer) -> Void) async throws -> Bool {
            guard let piece = try await piece() else { return false }
            piece.withUnsafeReadableBytes(use)
            return true
        }

        private func piece() async throws -> ByteBuffer? {
            guard case .reading(var base) = state else {
                if case .without = state { throw CancellationError() }
                return nil
            }
            do {
                let piece = try await base.next()
                // A cancelled exchange ends here, since releasing the iterator ends it.
                if exchange.isCancelled { throw CancellationError() }
                if let piece {
                    state = .reading(base)
                    return piece
                }
                state = .ended
                exchange.end()
                return nil
            } catch {
                state = .ended
                let described = exchange.describe(error)
                exchange.end()
                throw described
            }
        }
    }
}
