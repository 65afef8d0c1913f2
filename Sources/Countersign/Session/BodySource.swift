internal import Synchronization

/// A source of body bytes that a transport provides in place of a stream.
package protocol BodySource: AnyObject, Sendable {
    /// The number of bytes that the server has announced; `nil` if it has not. The body may be longer or shorter.
    var expectedLength: Int? { get }
    /// Returns the reader of the bytes. Only the first reader gets them.
    func makeReader() -> any BodyReader
    /// Cancels the exchange.
    func cancel()
}

/// Reads bytes piece by piece, from one task at a time.
package protocol BodyReader: AnyObject {
    /// Returns the next piece; `nil` at the end.
    func next() async throws -> [UInt8]?
    /// Passes the next piece to `use` without copying.
    ///
    /// - Returns: Whether there was a piece.
    func next(_ use: (UnsafeRawBufferPointer) -> Void) async throws -> Bool
}

/// Bytes in memory.
final class BytesSource: BodySource {
    let expectedLength: Int?
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) {
        expectedLength = bytes.count
        self.bytes = Mutex(bytes)
    }

    func makeReader() -> any BodyReader { Reader(self) }
    func cancel() { _ = take() }

    private func take() -> [UInt8]? {
        bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes.isEmpty ? nil : bytes
        }
    }

    private final class Reader: BodyReader {
        private let source: BytesSource

        init(_ source: BytesSource) { self.source = source }

        func next() async throws -> [UInt8]? { source.take() }

        func next(_ use: (UnsafeRawBufferPointer) -> Void) async throws -> Bool {
            guard let bytes = source.take() else { return false }
            bytes.withUnsafeBytes(use)
            return true
        }
    }
}

/// The bytes of any stream.
final class StreamSource: BodySource {
    let expectedLength: Int? = nil
    private let open: @Sendable () -> any BodyReader
    private let end: @Sendable () -> Void

    init(_ stream: some ByteStream, cancel: @escaping @Sendable () -> Void) {
        open = { StreamReader(stream.makeAsyncIterator()) }
        end = cancel
    }

    func makeReader() -> any BodyReader { open() }
    func cancel() { end() }
}

private final class StreamReader<Base: AsyncIteratorProtocol>: BodyReader where Base.Element == [UInt8] {
    private var base: Base

    init(_ base: Base) { self.base = base }

    func next() async throws -> [UInt8]? {
        // The iterator is moved out during the call and written back, which is safe since one task at a time uses the class.
        var base = self.base
        defer { self.base = base }
        return try await base.next(isolation: nil)
    }

    func next(_ use: (UnsafeRawBufferPointer) -> Void) async throws -> Bool {
        guard let piece = try await next() else { return false }
        piece.withUnsafeBytes(use)
        return true
    }
}
