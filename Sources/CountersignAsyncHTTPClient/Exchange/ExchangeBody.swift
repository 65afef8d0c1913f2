internal import AsyncHTTPClient
internal import Countersign
internal import HTTPTypes
internal import NIOCore
internal import Synchronization

/// The bytes of a response, pulled from the socket as they are read; ends the exchange when they end or are not wanted any more.
///
/// The client closes an exchange whose body is dropped, so this holds the body in one place at a time: here, then in the reader.
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

    /// Ends the exchange. A reader that waits for bytes at this moment gets `CancellationError` with the next that arrive.
    func cancel() {
        exchange.cancel()
        // With a reader, the reader ends it.
        if unread.withLock({ $0.take() }) != nil { exchange.end() }
    }

    func makeReader() -> any BodyReader {
        // A second reader has nothing to read, and says so by an error.
        Reader(unread.withLock { $0.take() }.map { $0.makeAsyncIterator() }, exchange: exchange)
    }

    /// A class, so that the exchange ends when the last copy of an iterator goes.
    private final class Reader: BodyReader {
        private enum State {
            case reading(HTTPClientResponse.Body.AsyncIterator)
            case ended
            /// Another has the body.
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
                // Without an iterator the exchange ends when the body does; this is the case of a cancelled one.
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
