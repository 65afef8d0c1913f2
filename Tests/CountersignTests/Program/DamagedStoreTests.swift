import Foundation
import Synchronization
import Testing

@testable import Countersign

/// Credentials that are saved after a store's content was damaged.
@Suite("Stored credentials after damage", .timeLimit(.minutes(10)))
struct DamagedStoreTests {
    private let method: PreparedProgram
    private let store = FailingStore([:])
    private let stored: StoredCredentials

    init() throws {
        let server = try #require(URL(string: ProgramBench.origin))
        method = PreparedProgram(PasswordParameters(server: server), prompter: nil)
        stored = StoredCredentials(store, of: method)
    }

    private func entry(_ realm: String, _ token: String) -> CredentialEntry {
        CredentialEntry(
            server: ProgramBench.origin, separators: [realm], fields: ["token": token], cookies: nil, attached: [], expires: nil)
    }

    /// Saves a credential.
    ///
    /// - Returns: Whether the store has it now.
    private func save(_ entry: CredentialEntry, insteadOf basis: StoredBasis) async -> Bool {
        let outcome = await stored.save(for: entry.place) { StoredChange(entry: entry, basis: basis) }
        if case .kept = outcome { return true }
        return false
    }

    @Test func `a renewal replaces the entry that was lost with damaged content`() async throws {
        let (old, next) = (entry("a", "1"), entry("a", "2"))
        #expect(await save(old, insteadOf: .nothing))
        store.fail("read", .corrupt)
        #expect(await save(next, insteadOf: .entry(old)))
        store.heal()
        #expect(try await stored.load(next.place) == next)
    }

    @Test func `so does a save that is repeated because the first one failed`() async throws {
        let (old, next) = (entry("a", "1"), entry("a", "2"))
        #expect(await save(old, insteadOf: .nothing))
        store.fail("read", .corrupt)
        store.fail("write", .noSpace)
        #expect(await !save(next, insteadOf: .entry(old)))
        store.heal()
        #expect(await save(next, insteadOf: .entry(old)))
        #expect(try await stored.load(next.place) == next)
    }

    @Test func `another credential that was saved meanwhile is not replaced`() async throws {
        let (old, next, other) = (entry("a", "1"), entry("a", "2"), entry("a", "3"))
        #expect(await save(old, insteadOf: .nothing))
        store.fail("read", .corrupt)
        store.fail("write", .noSpace)
        #expect(await !save(next, insteadOf: .entry(old)))
        store.heal()
        let process = StoredCredentials(store, of: method)
        _ = await process.save(for: other.place) { StoredChange(entry: other, basis: .nothing) }
        #expect(await !save(next, insteadOf: .entry(old)))
        #expect(try await stored.load(other.place) == other)
    }

    @Test func `what another process has saved in place of damaged content is not deleted`() async throws {
        let (one, other, next) = (entry("a", "1"), entry("b", "1"), entry("c", "1"))
        #expect(await save(one, insteadOf: .nothing))
        let process = StoredCredentials(store, of: method)
        store.fail("read", .corrupt)
        // Both processes read damaged content, and the other one is the first to replace it.
        store.afterFailedRead.withLock { work in
            work = { [store] in
                _ = await process.save(for: other.place) { StoredChange(entry: other, basis: .nothing) }
                store.heal()
            }
        }
        #expect(await save(next, insteadOf: .nothing))
        #expect(try await stored.load(other.place) == other)
        #expect(try await stored.load(next.place) == next)
        #expect(await stored.mayHaveDropped(one.place))
    }

    @Test func `an entry that is missing after damage is no logout of another process, until it is saved again`() async throws {
        let (one, two) = (entry("a", "1"), entry("b", "1"))
        #expect(await save(one, insteadOf: .nothing))
        #expect(await save(two, insteadOf: .nothing))
        #expect(await !stored.mayHaveDropped(two.place))
        store.fail("read", .corrupt)
        #expect(await save(one, insteadOf: .anything))
        store.heal()
        #expect(try await stored.load(two.place) == nil)
        #expect(await stored.mayHaveDropped(two.place))
        #expect(await !stored.mayHaveDropped(one.place))
        #expect(await save(two, insteadOf: .nothing))
        #expect(await !stored.mayHaveDropped(two.place))
        // The logout of another process is noticed again.
        try await store.discard(CredentialKey(method.storeName))
        #expect(await !save(entry("b", "2"), insteadOf: .entry(two)))
    }

    @Test(arguments: [false, true])
    func `a logout of another process after damage is noticed by the entries that were saved since`(hasNewUser: Bool) async throws {
        let (one, two) = (entry("a", "1"), entry("b", "1"))
        #expect(await save(one, insteadOf: .nothing))
        store.fail("read", .corrupt)
        #expect(await save(two, insteadOf: .nothing))
        store.heal()
        #expect(await stored.mayHaveDropped(one.place))
        try await store.discard(CredentialKey(method.storeName))
        let process = StoredCredentials(store, of: method)
        let other = entry("c", "9")
        if hasNewUser { _ = await process.save(for: other.place) { StoredChange(entry: other, basis: .nothing) } }
        // The credential of the former user does not come back.
        #expect(await !save(entry("a", "2"), insteadOf: .entry(one)))
        #expect(await !stored.mayHaveDropped(one.place))
        #expect(try await stored.all() == (hasNewUser ? [other] : []))
    }

    @Test func `so it is when the entry is looked for`() async throws {
        let one = entry("a", "1")
        #expect(await save(one, insteadOf: .nothing))
        store.fail("read", .corrupt)
        #expect(await save(entry("b", "1"), insteadOf: .nothing))
        store.heal()
        try await store.discard(CredentialKey(method.storeName))
        #expect(await !stored.mayHaveDropped(one.place))
    }

    @Test func `a logout ends what is known of damage`() async throws {
        let one = entry("a", "1")
        #expect(await save(one, insteadOf: .nothing))
        store.fail("read", .corrupt)
        #expect(await save(entry("b", "1"), insteadOf: .anything))
        store.heal()
        #expect(await stored.mayHaveDropped(one.place))
        stored.disown()
        stored.discard(at: .zero)
        try await stored.waitForDeletion()
        #expect(await !stored.mayHaveDropped(one.place))
    }
}
