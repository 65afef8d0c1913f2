extension ResponseBody {
    /// Reads and drops the rest, within a number of bytes and a time, then ends the exchange.
    ///
    /// A body read to its end leaves the connection for the next request; ending the exchange then only stops an upload that is
    /// still running. Anything longer or slower is cut off.
    func discard(upTo limit: Int, within time: Duration, clock: any Clock<Duration>) async {
        guard time > .zero else { return cancel() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.read(upTo: limit) }
            group.addTask { try? await clock.sleep(for: time) }
            await group.next()
            cancel()
            group.cancelAll()
        }
    }

    private func read(upTo limit: Int) async {
        var count = 0
        var iterator = makeAsyncIterator()
        // A body that breaks off is as good as read.
        while count <= limit, let piece = try? await iterator.next() { count += piece.count }
    }
}
