// The code of the guide "Many processes and machines", compiled, and run against the mock.

// snippet: shared
import CountersignFileStore
import CountersignTesting
import Foundation
import Testing

/// A store that stands for that of one process: each has its own.
private func store(in folder: URL, key: StoreKey) -> EncryptedFileStore {
    EncryptedFileStore(folder: folder, key: key)
}

@Test(.takesTurns) func `of two clients with one folder one logs in`() async throws {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "notes-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = StoreKey.random()
    try await withNotes(store: store(in: folder, key: key)) { first, server in
        let second = NotesClient(
            api: first.api, parameters: try parameters(of: server),
            configuration: first.session.configuration,
            store: store(in: folder, key: key))
        _ = try await first.notes()
        _ = try await second.notes()  // takes over what the first stored
        #expect(server.statistics.loginForms == 1)

        server.expireAccessTokens()
        server.hold("/notes", until: 2)
        async let one = first.notes()
        async let two = second.notes()
        _ = try await (one, two)
        #expect(server.statistics.refreshes == 1)
        #expect(server.statistics.refreshTokenReuses == 0)
        await second.session.invalidate(cancelling: true)
    }
}
// end

// snippet: watch
import Countersign
import Logging

/// Says what the other processes have to do with this one.
struct FleetLog: SessionEventObserver {
    let logger: Logger

    func observe(_ event: SessionEvent) {
        switch event.kind {
        case .adopted: logger.info("took over another one's credential")
        case .superseded: logger.info("another one has stored meanwhile")
        case .waited(let time): logger.info("waited \(time) for the lock")
        case .notStored: logger.error("the store keeps nothing")
        case .damaged: logger.error("what is stored cannot be read")
        case .expired: logger.notice("the session is over; a login follows")
        default: break
        }
    }
}
// end

import TestTurns
