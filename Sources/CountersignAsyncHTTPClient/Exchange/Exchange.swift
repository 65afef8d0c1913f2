internal import Synchronization

/// What an exchange holds until it has ended, however it ends: room in the gate, the upload, the client.
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

    /// Lets go of everything. Calling it again does nothing.
    func end() {
        let held = state.withLock { $0.holdings.take() }
        held?.upload?.abort()
        held?.leave()
    }

    /// Ends the upload, and what reads the response at the next opportunity. The room in the gate stays taken until then, as the connection.
    func cancel() {
        let upload = state.withLock { state in
            state.isCancelled = true
            return state.holdings?.upload
        }
        upload?.abort()
    }

    /// Whether the exchange was cancelled.
    var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// An error in the words of the contract.
    func describe(_ error: any Error) -> any Error {
        let (failure, client) = state.withLock { ($0.holdings?.upload?.failure, $0.holdings?.client) }
        return failure ?? client?.describe(error) ?? CancellationError()
    }
}
