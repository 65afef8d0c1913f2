internal import Countersign
internal import Synchronization

/// The clients of ``ExclusiveConnection``s, one for each, which keep them; here they are known so that a shutdown reaches them.
final class ExclusiveClients: Sendable {
    private struct Entry {
        weak let client: OwnedClient?
    }

    private struct State {
        var entries: [Entry] = []
        var isShutDown = false
    }

    private let state = Mutex(State())

    /// The client of a connection, made after that for other requests if it is new.
    ///
    /// - Parameter pins: The keys that its server must have one of; `nil` for any.
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

    /// Shuts the clients down, those with exchanges under way included.
    func shutDown() async {
        let clients = state.withLock { state in
            state.isShutDown = true
            defer { state.entries = [] }
            return state.entries.compactMap(\.client)
        }
        for client in clients { await client.shutDown() }
    }
}
