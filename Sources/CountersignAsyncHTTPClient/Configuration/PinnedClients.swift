internal import Countersign
internal import Synchronization

/// The clients of the most recently used sets of pins. Each set has its own client, since the check applies to all connections of
/// a client.
///
/// A client whose pins were displaced completes its running exchanges and is then shut down.
final class PinnedClients: Sendable {
    private struct Former {
        weak let client: OwnedClient?
    }

    private struct State {
        /// The clients by pins, the most recently used last.
        var entries: [(pins: ServerPins, client: OwnedClient)] = []
        var former: [Former] = []
        var isShutDown = false
    }

    /// The maximum number of clients. Programs usually pin the keys of one or two servers.
    private static let most = 16
    private let state = Mutex(State())

    /// Returns the client for a set of pins. A new one has the settings of `base`.
    ///
    /// - Throws: `TransportError` after the shutdown.
    func client(for pins: ServerPins, after base: OwnedClient) throws -> OwnedClient {
        try state.withLock { state in
            guard !state.isShutDown else {
                throw TransportError(.shutDown, detail: "the transport was shut down", requestMayHaveBeenProcessed: false)
            }
            let entry: (ServerPins, OwnedClient)
            if let index = state.entries.firstIndex(where: { $0.pins == pins }) {
                entry = state.entries.remove(at: index)
            } else {
                entry = (pins, OwnedClient(after: base, PinCheck(pins: pins).install))
            }
            if state.entries.count == Self.most {
                state.former.removeAll { $0.client == nil }
                state.former.append(Former(client: state.entries.removeFirst().client))
            }
            state.entries.append(entry)
            return entry.1
        }
    }

    /// Shuts all clients down, including those with running exchanges.
    func shutDown() async {
        let clients = state.withLock { state in
            state.isShutDown = true
            defer { (state.entries, state.former) = ([], []) }
            return state.entries.map(\.client) + state.former.compactMap(\.client)
        }
        for client in clients { await client.shutDown() }
    }
}
