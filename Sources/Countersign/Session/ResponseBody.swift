/// A response's bytes, pulled as they arrive.
///
/// Reading drives the socket: a reader that stops reading stops the server. Dropping the body, cancelling the task that reads it, or
/// calling ``cancel()`` closes the stream.
public struct ResponseBody: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = any Error

    private let makeIterator: @Sendable () -> AsyncIterator
    private let onCancel: @Sendable () -> Void

    /// A body over any stream of bytes.
    ///
    /// - Parameters:
    ///   - stream: The pieces; iterated once.
    ///   - cancel: Ends the exchange that the bytes come from.
    public init(_ stream: any ByteStream, cancel: @escaping @Sendable () -> Void = {}) {
        makeIterator = { AsyncIterator(stream) }
        onCancel = cancel
    }

    /// A body of bytes at hand.
    public init(bytes: [UInt8] = []) {
        self.init(
            AsyncThrowingStream<[UInt8], any Error> { continuation in
                if !bytes.isEmpty { continuation.yield(bytes) }
                continuation.finish()
            })
    }

    public func makeAsyncIterator() -> AsyncIterator { makeIterator() }

    /// Ends the exchange without reading the rest: at once if no task waits for bytes at this moment, otherwise with the next bytes
    /// that arrive. To end a wait at once, cancel the task that waits.
    public func cancel() { onCancel() }

    /// Reads the whole body.
    ///
    /// - Parameters:
    ///   - limit: The most bytes to take.
    ///   - time: The most time to take, looked at when a piece arrives; `nil` for any. Silence is limited by the transport.
    ///   - clock: The clock for it.
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/responseTooLarge`` or ``CountersignError/Code/timedOut``; whatever the
    ///   transport throws.
    public func collect(
        upTo limit: Int, within time: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        let elapsed = time.map { _ in Timeline(clock).elapsed }
        for try await piece in self {
            if let time, let elapsed, elapsed() > time {
                cancel()
                throw CountersignError(.timedOut, detail: "the body took longer than \(time)")
            }
            guard bytes.count + piece.count <= limit else {
                cancel()
                throw CountersignError(.responseTooLarge, detail: "the body has more than \(limit) bytes")
            }
            bytes.append(contentsOf: piece)
        }
        return bytes
    }

    /// Reads one piece after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: any AsyncIteratorProtocol<[UInt8], any Error>

        fileprivate init(_ stream: any ByteStream) {
            func open<Stream: ByteStream>(_ stream: Stream) -> any AsyncIteratorProtocol<[UInt8], any Error> {
                stream.makeAsyncIterator()
            }
            base = open(stream)
        }

        public mutating func next() async throws -> [UInt8]? {
            try await base.next(isolation: nil)
        }
    }
}
