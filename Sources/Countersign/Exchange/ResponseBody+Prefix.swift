extension ResponseBody {
    /// Reads the first bytes and leaves the body as it was: its reader gets them all.
    ///
    /// - Parameters:
    ///   - limit: How many bytes are looked at; fewer if the body ends before.
    ///   - time: How long that may take, however the bytes arrive.
    /// - Returns: `nil` if the time was over first; the body is cancelled then.
    /// - Throws: what the body throws; `CancellationError`.
    mutating func takePrefix(upTo limit: Int, within time: Duration, clock: any Clock<Duration>) async throws -> [UInt8]? {
        guard time > .zero else {
            cancel()
            return nil
        }
        let body = self
        let start: Start? = try await withThrowingTaskGroup(of: Start?.self) { group in
            group.addTask {
                try await clock.sleep(for: time)
                return nil
            }
            group.addTask { try await Start(of: body, upTo: limit) }
            defer { group.cancelAll() }
            let first = try await group.next() ?? nil
            if first == nil { body.cancel() }
            return first
        }
        // A cancelled stream may end as if it were over.
        try Task.checkCancellation()
        guard let start else { return nil }
        let prefix = Array(start.iterator.pieces.joined().prefix(limit))
        self = ResponseBody(PutBack(start: start), cancel: body.cancel)
        return prefix
    }
}

/// Pieces that were read already, and the reader of those that come.
///
/// Handed over once by each: by the task that read the pieces to the exchange, and by the exchange to the one reader of the body. It is
/// never used by two tasks at a time, which makes it Sendable.
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

/// Pieces that were read already, then those that come.
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
