import Foundation
import Synchronization
import Testing

@testable import Countersign

/// No data of one user is stored, sent or resent for the next.
@Suite("A logout and the credentials of an application", .timeLimit(.minutes(10)))
struct PlaceCredentialLogoutTests {
    static let attachments: [StubAttachment] = [.challenged, .eager, .connection]

    @Test(arguments: attachments)
    func `RT-15 a credential whose store is slower than a logout is not there for the next user`(
        _ attachment: StubAttachment
    ) async throws {
        let storing = Turnstile()
        defer { storing.open() }
        let source = StubSource(beforeStoring: { name in
            if name == "user1" { await storing.passDeaf() }
        })
        let bench = try StubBench(source, attachment)
        let former = Task { try await bench.get() }
        try await awaitCondition { storing.arrivals == 1 }
        bench.session.endSession()
        #expect((await former.error as? CountersignError)?.code == .sessionEnded)
        // Gives time to a deletion that does not wait for the store.
        for _ in 0..<100 where source.writes.isEmpty { await Task.yield() }
        storing.open()
        try await awaitCondition { source.writes.contains("user1") }
        #expect(try await bench.get() == "data")
        #expect(source.writes == ["user1", "-", "user2"])
        #expect(bench.credentials.compactMap { $0 } == ["user2"])
    }

    @Test(arguments: attachments)
    func `RT-15 a credential that the application gives after a logout is discarded`(
        _ attachment: StubAttachment
    ) async throws {
        let asking = Turnstile()
        defer { asking.open() }
        let source = StubSource { number, _ in
            if number == 1 { await asking.passDeaf() }
            return "user\(number)"
        }
        let bench = try StubBench(source, attachment)
        let former = Task { try await bench.get() }
        try await awaitCondition { asking.arrivals == 1 }
        bench.session.endSession()
        #expect((await former.error as? CountersignError)?.code == .sessionEnded)
        asking.open()
        #expect(try await bench.get() == "data")
        // The steps of the former user's flight have ended, too.
        try await awaitCondition { bench.events.count(.ran(step: "prompt")) == 2 }
        #expect(source.writes == ["-", "user2"])
        #expect(try await bench.get() == "data")
        #expect(Set(bench.credentials.compactMap { $0 }) == ["user2"])
    }

    @Test(arguments: attachments)
    func `RT-15 a deletion by the steps of the former user's flight leaves alone what is stored for the next user`(
        _ attachment: StubAttachment
    ) async throws {
        let asking = Turnstile()
        defer { asking.open() }
        let source = StubSource { number, _ in
            if number == 2 { await asking.passDeaf() }
            return number == 3 ? "next" : "former"
        }
        let bench = try StubBench(source, attachment, accepts: { name, _ in name == "next" })
        let former = Task { try await bench.get() }
        try await awaitCondition { asking.arrivals == 1 }
        bench.session.endSession()
        #expect((await former.error as? CountersignError)?.code == .sessionEnded)
        #expect(try await bench.get() == "data")
        #expect(source.stored == "next")
        asking.open()
        // The refused credential was returned again, and the former user's steps have ended.
        try await awaitCondition { bench.events.count(.ran(step: "prompt")) == 3 }
        #expect(source.stored == "next")
        #expect(try await bench.get() == "data")
    }

    @Test(arguments: attachments)
    func `RT-16 a request of the former user is not sent again with the credential of the next`(
        _ attachment: StubAttachment
    ) async throws {
        let late = Turnstile()
        defer { late.open() }
        let bench = try StubBench(
            StubSource(), attachment, before: { sent in if sent.path == "/former" { try await late.pass() } },
            accepts: { _, sent in sent.path != "/former" })
        let former = Task { try await bench.get("/former") }
        try await awaitCondition { late.arrivals == 1 }
        bench.session.endSession()
        #expect(try await bench.get() == "data")
        late.open()
        #expect((await former.error as? CountersignError)?.code == .sessionEnded)
        #expect(bench.transport.sent.count { $0.path == "/former" } == 1)
        #expect(try await bench.get() == "data")
    }

    @Test(arguments: [nil, "other"])
    func `a save in place of a credential is declined if the store has another or none`(_ stored: String?) async throws {
        let url = try #require(URL(string: StubBench.origin))
        let origin = try #require(Origin(url))
        let store = RecordedPlaces()
        let credentials = PlaceCredentials(store)
        let space = ProtectionSpace(server: origin, separators: ["realm"])
        let place = CredentialPlace(origin: origin, realm: "realm")
        func save(_ name: String, insteadOf old: String) async -> StoredOutcome {
            let change = StoredChange(
                entry: CredentialEntry([.secret(name)], for: space), basis: .entry(CredentialEntry([.secret(old)], for: space)))
            return await credentials.save(for: space) { change }
        }
        store.store([.secret("first")], for: place)
        guard case .kept = await save("second", insteadOf: "first") else { throw TestFailure() }
        #expect(store.load(for: place) == [.secret("second")])
        if let stored { store.store([.secret(stored)], for: place) } else { store.delete(for: place) }
        guard case .declined = await save("third", insteadOf: "second") else { throw TestFailure() }
        #expect(store.load(for: place) == stored.map { [.secret($0)] })
    }

    private struct TestFailure: Error {}

    @Test func `spaces without a credential are dropped when there are many, and a logout deletes the others`() async throws {
        let url = try #require(URL(string: StubBench.origin))
        let origin = try #require(Origin(url))
        let store = RecordedPlaces()
        let credentials = PlaceCredentials(store)
        let held = ProtectionSpace(server: origin, separators: ["held"])
        credentials.note(held)
        let entry = CredentialEntry([.secret("user")], for: held)
        _ = await credentials.save(for: held) { StoredChange(entry: entry, basis: .anything) }
        let found = ProtectionSpace(server: origin, separators: ["found"])
        store.store([.secret("other")], for: CredentialPlace(origin: origin, realm: "found"))
        credentials.note(found)
        _ = try await credentials.load(found)
        for number in 0..<3_000 {
            let space = ProtectionSpace(server: origin, separators: ["realm \(number)"])
            credentials.note(space)
            _ = try await credentials.load(space)
        }
        credentials.disown()
        credentials.discard(at: .zero)
        try await credentials.waitForDeletion()
        let deleted = store.deleted
        #expect(deleted.count <= 1_000)
        #expect(deleted.contains("held"))
        #expect(deleted.contains("found"))
    }
}

/// A store that records the realms of its deletions.
private final class RecordedPlaces: PlaceCredentialStore {
    private struct State {
        var stored: [CredentialPlace: [ProgramValue]] = [:]
        var deleted: [String?] = []
    }

    private let state = Mutex(State())

    var deleted: [String?] { state.withLock { $0.deleted } }

    func load(for place: CredentialPlace) -> [ProgramValue]? { state.withLock { $0.stored[place] } }
    func store(_ values: [ProgramValue], for place: CredentialPlace) { state.withLock { $0.stored[place] = values } }
    func delete(for place: CredentialPlace) {
        state.withLock { state in
            state.stored[place] = nil
            state.deleted.append(place.realm)
        }
    }
}

extension Turnstile {
    /// Waits until the gate is open, and ignores cancellation, like work that cannot be interrupted.
    fileprivate func passDeaf() async { await Task { try? await pass() }.value }
}
