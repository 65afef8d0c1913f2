internal import Countersign
internal import Synchronization

/// The clients of ``ExclusiveConnection``s, each of which retains its own. They are recorded here so that they can be shut down.
final class ExclusiveClients: Sendable {
    private struct Entry {
        weak let client: OwnedClient?
    }

    private struct State {
        var entries: [Entry] = []
        var isShutDown = false
    }

    private let state = Mutex(State())

    /// Returns the client of a connection. A new one has the settings of `base`.
    ///
    /// - Parameter pins: The keys, one of which the server must have; `nil` for any key.
    /// - Throws: `TransportError` after the shutdown.
    func client(for connection: ExclusiveConnection, _ pins: ServerPins?, after base: OwnedClient) throws -> OwnedClient {
        try state.withLock { state in
            guard !state.isShutDown else {
                throw TransportError(.shutDown, detail: "the transport was shut down", requestMayHaveBeenProcessed: false)
            }
            return connection.resource {
                let client = OwnedClient(after: base, CertificateNote(connection, pins).install)
                state.entries.removeAll { $0.client == nil }
                state.entries.append(Entry(client: client))
                return client
            }
        }
    }

    /// Shuts all clients down, including those with running exchanges.
    func shutDown() async {
        let clients = state.withLock { state in
            state.isShutDown = true
            defer { state.entries = [] }
            return state.entries.compactMap(\.client)
        }
        for client in clients { await client.shutDown() }
    }
}
