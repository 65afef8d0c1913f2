internal import Synchronization

extension ResponseBody {
    /// Reads and drops the rest, within a number of bytes and a time, then ends the exchange.
    ///
    /// A body read to its end leaves the connection for the next request; ending the exchange then only stops an upload that is
    /// still running. Anything longer or slower is cut off.
    func discard(upTo limit: Int, within time: Duration, clock: any Clock<Duration>) async {
        guard time > .zero else { return cancel() }
        let end = End()
        await withTaskGroup(of: Void.self) { group in
            // The body of a challenge is short and mostly there with its head. Read at once, it needs no timer.
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
        // A body that breaks off is as good as read.
        while isThere, count <= limit { isThere = (try? await reader.next { count += $0.count }) ?? false }
    }
}

/// Whether a body was read to its end.
private final class End: Sendable {
    let isReached = Atomic(false)
}
