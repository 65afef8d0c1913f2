internal import NIOCore
internal import Synchronization

/// The connections that a listener has, in the order of their arrival: never more than a bound, and none after the end.
final class OpenConnections: Sendable {
    private struct Entry {
        let channel: any Channel
        var isAnswered = false
    }

    private struct State {
        var entries: [Entry] = []
        var isClosed = false
    }

    private let maximum: Int
    private let state = Mutex(State())

    init(maximum: Int) { self.maximum = maximum }

    /// Takes a connection in, and closes another if there are too many.
    func admit(_ channel: any Channel) {
        let surplus: (any Channel)? = state.withLock { state in
            if state.isClosed { return channel }
            var surplus: (any Channel)?
            if state.entries.count >= maximum {
                surplus = state.entries.remove(at: state.entries.firstIndex { !$0.isAnswered } ?? 0).channel
            }
            state.entries.append(Entry(channel: channel))
            return surplus
        }
        surplus?.close(promise: nil)
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { $0.entries.removeAll { $0.channel === channel } }
        }
    }

    /// Notes that a connection gets its page and closes by itself.
    func noteAnswer(on channel: any Channel) {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.channel === channel }) else { return }
            state.entries[index].isAnswered = true
        }
    }

    /// Closes all, and those that come later.
    func close() {
        let entries = state.withLock { state in
            state.isClosed = true
            return state.entries
        }
        for entry in entries { entry.channel.close(promise: nil) }
    }
}
