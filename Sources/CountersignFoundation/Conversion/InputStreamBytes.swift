internal import Dispatch
internal import Foundation

/// The bytes of an `InputStream`, read on a separate queue because reading may block.
struct InputStreamBytes: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    private let reader: Reader

    init(_ stream: InputStream) { reader = Reader(stream) }

    func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    struct Iterator: AsyncIteratorProtocol {
        let reader: Reader

        mutating func next() async throws -> [UInt8]? { try await reader.next() }
    }

    /// Reads the stream. Unchecked, because the stream is used only on the serial queue.
    final class Reader: @unchecked Sendable {
        private let stream: InputStream
        private let queue = DispatchQueue(label: "countersign.input-stream")
        private static let pieceSize = 64 * 1024

        init(_ stream: InputStream) { self.stream = stream }

        func next() async throws -> [UInt8]? {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { [self] in continuation.resume(with: Result { try read() }) }
            }
        }

        private func read() throws -> [UInt8]? {
            if stream.streamStatus == .notOpen { stream.open() }
            var bytes = [UInt8](repeating: 0, count: Self.pieceSize)
            let count = stream.read(&bytes, maxLength: bytes.count)
            if count > 0 { return Array(bytes.prefix(count)) }
            defer { stream.close() }
            if count < 0 { throw stream.streamError ?? URLError(.requestBodyStreamExhausted) }
            return nil
        }
    }
}
