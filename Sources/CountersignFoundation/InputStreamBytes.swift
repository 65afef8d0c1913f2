internal import Foundation

/// The bytes of an `InputStream`, which is opened when reading begins and closed at its end.
///
/// Unchecked: the stream is read by one iterator alone, since a body that exists once is iterated once.
struct InputStreamBytes: AsyncSequence, @unchecked Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    private let stream: InputStream

    init(_ stream: InputStream) { self.stream = stream }

    func makeAsyncIterator() -> Iterator { Iterator(stream: stream) }

    struct Iterator: AsyncIteratorProtocol {
        let stream: InputStream
        private static let pieceSize = 64 * 1024

        mutating func next() async throws -> [UInt8]? {
            if stream.streamStatus == .notOpen { stream.open() }
            var piece = [UInt8](repeating: 0, count: Self.pieceSize)
            let count = stream.read(&piece, maxLength: piece.count)
            if count > 0 { return Array(piece.prefix(count)) }
            let error = stream.streamError
            stream.close()
            if count < 0 { throw error ?? CocoaError(.fileReadUnknown) }
            return nil
        }
    }
}
