internal import Countersign
internal import Synchronization

/// The clients of the pins that were asked for last, one for each set of pins: what a client checks holds for all its connections.
///
/// A client of pins that others took the place of finishes what it has begun and is shut down then.
final class PinnedClients: Sendable {
    private struct Former {
        weak let client: OwnedClient?
    }

    private struct State {
        /// The latest at the end.
        var entries: [(pins: ServerPins, client: OwnedClient)] = []
        var former: [Former] = []
        var isShutDown = false
    }

    /// A program pins the keys of one server or two.
    private static let most = 16
    private let state = Mutex(State())

    /// The client for some pins, made after that for requests without pins if it is new.
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

    /// Shuts the clients down, those with exchanges under way included.
    func shutDown() async {
        let clients = state.withLock { state in
            state.isShutDown = true
            defer { (state.entries, state.former) = ([], []) }
            return state.entries.map(\.client) + state.former.compactMap(\.client)
        }
        for client in clients { await client.shutDown() }
    }
}
