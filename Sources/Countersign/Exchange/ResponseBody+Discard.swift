internal import Synchronization

extension ResponseBody {
    /// Reads and discards the rest of the body up to a number of bytes and a time limit, then ends the exchange.
    ///
    /// A body that was read to its end leaves the connection for the next request. Ending the exchange then only stops an upload
    /// that is still running. A longer or slower body is cut off.
    func discard(upTo limit: Int, within time: Duration, clock: any Clock<Duration>) async {
        guard time > .zero else { return cancel() }
        let end = End()
        await withTaskGroup(of: Void.self) { group in
            // The body of a challenge is short and usually arrives with its head. If it is read at once, no timer is needed.
            if #available(macOS 26.0, iOS 26.0, *) {
                group.addImmediateTask {
                    await self.read(upTo: limit)
                    end.isReached.store(true, ordering: .relaxed)
                }
            } else {
                group.addTask { await self.read(upTo: limit) }
            }
            if !end.isReached.load(ordering: .relaxed) { group.addTask { try? await clock.sleep(for: time) } }
            await group.next()
            cancel()
            group.cancelAll()
        }
    }

    private func read(upTo limit: Int) async {
        let reader = source.makeReader()
        var count = 0
        var isThere = true
        // An error counts as the end of the body.
        while isThere, count <= limit { isThere = (try? await reader.next { count += $0.count }) ?? false }
    }
}

/// Whether a body was read to its end.
private final class End: Sendable {
    let isReached = Atomic(false)
}
