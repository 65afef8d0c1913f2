internal import Countersign
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// The body of a response. It ends the exchange when it is no longer needed: first this object does, then its reader.
final class ExchangeBody: BodySource {
    let expectedLength: Int?
    private let exchange: DataExchange
    private let hasReader = Mutex(false)

    init(_ exchange: DataExchange, head: HTTPResponse) {
        expectedLength = head.headerFields[.contentLength].flatMap { Int($0) }
        self.exchange = exchange
    }

    deinit { if !hasReader.withLock({ $0 }) { exchange.fail(CancellationError()) } }

    func cancel() { exchange.fail(CancellationError()) }

    func makeReader() -> any BodyReader {
        let isSecond = hasReader.withLock { hasReader in
            defer { hasReader = true }
            return hasReader
        }
        return Reader(isSecond ? nil : exchange)
    }

    /// The reader of the body. It is a class, so that the exchange ends when the last copy of an iterator is released.
    private final class Reader: BodyReader {
        /// `nil` for a second reader, since the first one has the body.
        private let exchange: DataExchange?

        init(_ exchange: DataExchange?) { self.exchange = exchange }

        deinit { exchange?.fail(CancellationError()) }

        func next() async throws -> [UInt8]? { try await piece().map { Array($0) } }

        func next(_ use: (UnsafeRawBufferPointer) -> Void) async throws -> Bool {
            guard let piece = try await piece() else { return false }
            piece.withUnsafeBytes(use)
            return true
        }

        private func piece() async throws -> Data? {
            guard let exchange else { throw CancellationError() }
            return try await exchange.next()
        }
    }
}
