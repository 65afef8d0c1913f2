/// A response's bytes, pulled as they arrive.
///
/// Reading drives the socket: a reader that stops reading stops the server. Dropping the body, cancelling the task that reads it, or
/// calling ``cancel()`` closes the stream.
public struct ResponseBody: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = any Error

    private let source: any BodySource

    /// A body over any stream of bytes.
    ///
    /// - Parameters:
    ///   - stream: The pieces; iterated once.
    ///   - cancel: Ends the exchange that the bytes come from.
    public init(_ stream: any ByteStream, cancel: @escaping @Sendable () -> Void = {}) {
        func source(_ stream: some ByteStream) -> any BodySource { StreamSource(stream, cancel: cancel) }
        self.source = source(stream)
    }

    /// A body over what a transport has.
    package init(_ source: any BodySource) { self.source = source }

    /// A body of bytes at hand.
    public init(bytes: [UInt8] = []) {
        self.init(
            AsyncThrowingStream<[UInt8], any Error> { continuation in
                if !bytes.isEmpty { continuation.yield(bytes) }
                continuation.finish()
            })
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: source.makeReader()) }

    /// Ends the exchange without reading the rest: at once if no task waits for bytes at this moment, otherwise with the next bytes
    /// that arrive. To end a wait at once, cancel the task that waits.
    public func cancel() { source.cancel() }

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
        try await read(upTo: limit, within: time, clock: clock) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Reads the whole body, piece by piece where each lies.
    ///
    /// - Throws: What ``collect(upTo:within:clock:)`` throws.
    package func read(
        upTo limit: Int, within time: Duration?, clock: any Clock<Duration>, _ use: (UnsafeRawBufferPointer) -> Void
    ) async throws {
        let elapsed = time.map { _ in Timeline(clock).elapsed }
        let reader = source.makeReader()
        var count = 0
        var isOver = false
        while !isOver {
            let isThere = try await reader.next { piece in
                count += piece.count
                if count <= limit { use(piece) }
            }
            guard isThere else { return }
            if let time, let elapsed, elapsed() > time {
                cancel()
                throw CountersignError(.timedOut, detail: "the body took longer than \(time)")
            }
            isOver = count > limit
        }
        cancel()
        throw CountersignError(.responseTooLarge, detail: "the body has more than \(limit) bytes")
    }

    /// Reads one piece after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: any BodyReader

        fileprivate init(reader: any BodyReader) { self.reader = reader }

        public mutating func next() async throws -> [UInt8]? { try await reader.next() }
    }
}
