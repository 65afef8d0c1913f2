internal import NIOCore
internal import Synchronization

/// The open connections of a listener in order of arrival. Their number is limited, and after the end all new ones are closed.
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

    /// Adds a connection. If there are too many, it closes the oldest one, preferably without a response.
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

    /// Records that a connection receives its page and will close by itself.
    func noteAnswer(on channel: any Channel) {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.channel === channel }) else { return }
            state.entries[index].isAnswered = true
        }
    }

    /// Closes all connections, including later ones.
    func close() {
        let entries = state.withLock { state in
            state.isClosed = true
            return state.entries
        }
        for entry in entries { entry.channel.close(promise: nil) }
    }
}
