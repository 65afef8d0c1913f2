extension ResponseBody {
    /// Reads the first bytes of the body, whose reader still receives all of its bytes.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes to read. A shorter body is read to its end.
    ///   - time: The time limit for all of these bytes.
    /// - Returns: The bytes; `nil` if the time limit was reached, which cancels the body.
    /// - Throws: The errors of the body; `CancellationError`.
    mutating func takePrefix(upTo limit: Int, within time: Duration, clock: any Clock<Duration>) async throws -> [UInt8]? {
        guard time > .zero else {
            cancel()
            return nil
        }
        let body = self
        let start: Start? = try await withThrowingTaskGroup(of: Start?.self) { group in
            group.addTask {
                try await clock.sleep(for: Swift.min(time, SessionConfiguration.longestLimit))
                return nil
            }
            group.addTask { try await Start(of: body, upTo: limit) }
            defer { group.cancelAll() }
            let first = try await group.next() ?? nil
            if first == nil { body.cancel() }
            return first
        }
        // A cancelled stream may end like a complete one.
        try Task.checkCancellation()
        guard let start else { return nil }
        let prefix = Array(start.iterator.pieces.joined().prefix(limit))
        self = ResponseBody(PutBack(start: start), cancel: body.cancel)
        return prefix
    }
}

/// The pieces that were read, and the iterator of the remaining ones.
///
/// It is passed on twice: from the task that read the pieces to the exchange, and from the exchange to the only reader of the
/// body. `@unchecked Sendable`: it is immutable, and two tasks never use its iterator, which is not `Sendable`, at the same time.
private final class Start: @unchecked Sendable {
    let iterator: PutBack.Iterator

    init(of body: ResponseBody, upTo limit: Int) async throws {
        var rest = body.makeAsyncIterator()
        var pieces: [[UInt8]] = []
        var count = 0
        while count < limit, let piece = try await rest.next() {
            pieces.append(piece)
            count += piece.count
        }
        iterator = PutBack.Iterator(pieces: pieces[...], rest: rest)
    }
}

/// The pieces that were read, followed by the remaining ones.
private struct PutBack: AsyncSequence, Sendable {
    let start: Start

    func makeAsyncIterator() -> Iterator { start.iterator }

    struct Iterator: AsyncIteratorProtocol {
        var pieces: ArraySlice<[UInt8]>
        var rest: ResponseBody.AsyncIterator

        mutating func next() async throws -> [UInt8]? {
            if let piece = pieces.popFirst() { return piece }
            return try await rest.next()
        }
    }
}
