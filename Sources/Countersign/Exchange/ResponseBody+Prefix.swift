extension ResponseBody {
    /// Reads the first bytes and leaves the body as it was: whoever reads it gets them all.
    ///
    /// - Parameter limit: How many bytes are looked at; fewer if the body ends before.
    mutating func takePrefix(upTo limit: Int) async throws -> [UInt8] {
        var iterator = makeAsyncIterator()
        var pieces: [[UInt8]] = []
        var count = 0
        while count < limit, let piece = try await iterator.next() {
            pieces.append(piece)
            count += piece.count
        }
        let cancel = self.cancel
        self = ResponseBody(PutBack(pieces, before: iterator), cancel: cancel)
        return Array(pieces.joined().prefix(limit))
    }
}

/// Pieces that were read already, then those that come.
private struct PutBack: AsyncSequence, Sendable {
    private let start: Start

    /// Handed over once, from the exchange to the one reader of the body; never used by two tasks at a time.
    private final class Start: @unchecked Sendable {
        let iterator: Iterator
        init(_ iterator: Iterator) { self.iterator = iterator }
    }

    init(_ pieces: [[UInt8]], before rest: ResponseBody.AsyncIterator) { start = Start(Iterator(pieces: pieces[...], rest: rest)) }

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
