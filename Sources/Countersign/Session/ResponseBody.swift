/// The body of a response, read as its bytes arrive.
///
/// Reading applies back pressure: a reader that stops reading stops the server. Releasing the body, cancelling the task that reads
/// it, or calling ``cancel()`` closes the stream.
public struct ResponseBody: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = any Error

    let source: any BodySource

    /// Creates a body of a stream of bytes.
    ///
    /// - Parameters:
    ///   - stream: The pieces. They are iterated once.
    ///   - cancel: Cancels the exchange.
    public init(_ stream: any ByteStream, cancel: @escaping @Sendable () -> Void = {}) {
        func source(_ stream: some ByteStream) -> any BodySource { StreamSource(stream, cancel: cancel) }
        self.source = source(stream)
    }

    /// Creates a body of a transport's source.
    package init(_ source: any BodySource) { self.source = source }

    /// Creates a body of bytes in memory.
    public init(bytes: [UInt8] = []) { self.init(BytesSource(bytes)) }

    /// The maximum number of bytes that are reserved because of the length that a server announces. A larger body grows as it
    /// arrives. The system provides reserved memory when it is written, so a server that announces more than it sends occupies
    /// only address space.
    package static let maximumReserved = 64 << 20

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: source.makeReader()) }

    /// Ends the exchange without reading the rest of the body: at once if there is no iterator, otherwise at the latest when the next
    /// bytes arrive for it, or when it is released. To end a wait at once, cancel the waiting task.
    public func cancel() { source.cancel() }

    /// Returns the complete body.
    ///
    /// - Parameters:
    ///   - limit: The maximum size in bytes.
    ///   - time: The time limit, checked when a piece arrives; `nil` for none. The transport limits the time without data.
    ///   - clock: The clock of the time limit.
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/responseTooLarge`` or ``CountersignError/Code/timedOut``; the
    ///   errors of the transport.
    public func collect(
        upTo limit: Int, within time: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        var pieces = 0
        try await read(upTo: limit, within: time, clock: clock) { piece in
            pieces += 1
            // A body of one piece needs no reserved capacity.
            if pieces == 2 {
                let reserved = Swift.min(source.expectedLength ?? 0, limit, Self.maximumReserved)
                if reserved > bytes.count { bytes.reserveCapacity(reserved) }
            }
            bytes.append(contentsOf: piece)
        }
        return bytes
    }

    /// Reads the complete body piece by piece without copying.
    ///
    /// - Throws: The errors of ``collect(upTo:within:clock:)``.
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

    /// Iterates over the pieces of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: any BodyReader

        fileprivate init(reader: any BodyReader) { self.reader = reader }

        public mutating func next() async throws -> [UInt8]? { try await reader.next() }
    }
}
