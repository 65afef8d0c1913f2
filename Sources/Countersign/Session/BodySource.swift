/// Where the bytes of a body come from: what a transport that knows this package gives, in place of a stream.
package protocol BodySource: AnyObject, Sendable {
    /// Makes what reads the bytes; the first that is made gets them all.
    func makeReader() -> any BodyReader
    /// Ends the exchange that the bytes come from.
    func cancel()
}

/// Reads bytes piece by piece. Used by one task at a time.
package protocol BodyReader: AnyObject {
    /// The next piece; `nil` at the end.
    func next() async throws -> [UInt8]?
    /// Gives the next piece to `use`, where it lies.
    ///
    /// - Returns: Whether there was one.
    func next(_ use: (UnsafeRawBufferPointer) -> Void) async throws -> Bool
}

/// The bytes of any stream.
final class StreamSource: BodySource {
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
        // A class that is used by one task at a time lends what it has to that task.
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
