internal import Synchronization

/// The resources of an exchange, which are released when it ends in any way: its place in the gate, the upload, and the client.
final class Exchange: Sendable {
    private struct Holdings {
        let client: OwnedClient
        let upload: UploadBody?
        let leave: @Sendable () -> Void
    }

    private struct State {
        var holdings: Holdings?
        var isCancelled = false
    }

    private let state: Mutex<State>

    init(client: OwnedClient, upload: UploadBody?, leave: @escaping @Sendable () -> Void) {
        state = Mutex(State(holdings: Holdings(client: client, upload: upload, leave: leave)))
    }

    deinit { end() }

    /// Releases all resources. Further calls have no effect.
    func end() {
        let held = state.withLock { $0.holdings.take() }
        held?.upload?.abort()
        held?.leave()
    }

    /// Ends the upload, and at the next opportunity the reader of the response. Until then, the place in the gate and the
    /// connection are kept.
    func cancel() {
        let upload = state.withLock { state in
            state.isCancelled = true
            return state.holdings?.upload
        }
        upload?.abort()
    }

    /// Whether the exchange was cancelled.
    var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Converts an error to the transport's error type.
    func describe(_ error: any Error) -> any Error {
        let (failure, client) = state.withLock { ($0.holdings?.upload?.failure, $0.holdings?.client) }
        return failure ?? client?.describe(error) ?? CancellationError()
    }
}
