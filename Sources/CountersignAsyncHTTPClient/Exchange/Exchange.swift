internal import Synchronization

/// What an exchange holds until it has ended, however it ends: room in the gate, the upload, the client.
final class Exchange: Sendable {
    private struct Holdings {
        let client: OwnedClient
        let upload: UploadBody?
        let leave: @Sendable () -> Void
    }

    private let holdings: Mutex<Holdings?>

    init(client: OwnedClient, upload: UploadBody?, leave: @escaping @Sendable () -> Void) {
        holdings = Mutex(Holdings(client: client, upload: upload, leave: leave))
    }

    deinit { end() }

    /// Lets go of everything. Calling it again does nothing.
    func end() {
        let held = holdings.withLock { holdings in
            defer { holdings = nil }
            return holdings
        }
        held?.upload?.abort()
        held?.leave()
    }

    /// Whether the exchange has ended.
    var hasEnded: Bool { holdings.withLock { $0 == nil } }

    /// An error in the words of the contract.
    func describe(_ error: any Error) -> any Error {
        let (failure, client) = holdings.withLock { ($0?.upload?.failure, $0?.client) }
        return failure ?? client?.describe(error) ?? CancellationError()
    }
}
