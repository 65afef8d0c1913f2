import Foundation
import Synchronization
import Testing

@testable import Countersign

/// Credentials of several servers in a store that accepts no larger content.
@Suite("Stored credentials above the size limit", .timeLimit(.minutes(10)))
struct FullStoreTests {
    private let store = FailingStore([:])
    private let stored: StoredCredentials

    init() throws {
        let server = try #require(URL(string: ProgramBench.origin))
        stored = StoredCredentials(store, of: PreparedProgram(PasswordParameters(server: server), prompter: nil))
        store.sizeLimit.withLock { $0 = 4_000 }
    }

    private func entry(of server: String, realm: Int = 0, size: Int) -> CredentialEntry {
        CredentialEntry(
            server: "https://\(server).example", separators: ["\(realm)"],
            fields: ["token": String(repeating: "x", count: size)], cookies: nil, attached: [], expires: nil)
    }

    /// Saves a credential.
    ///
    /// - Returns: Whether the store has it now.
    private func save(_ entry: CredentialEntry) async -> Bool {
        let outcome = await stored.save(for: entry.place) { StoredChange(entry: entry, basis: .anything) }
        if case .kept = outcome { return true }
        return false
    }

    @Test func `a server with large credentials displaces only its own`() async throws {
        let good = entry(of: "good", size: 100)
        for realm in 0..<12 { #expect(await save(entry(of: "bad", realm: realm, size: 500))) }
        #expect(await save(good))
        #expect(try await stored.load(good.place) == good)
        #expect(await save(entry(of: "bad", realm: 12, size: 2_500)))
        #expect(await !save(entry(of: "bad", realm: 13, size: 3_900)))
        #expect(try await stored.load(good.place) == good)
        #expect(try await stored.all().contains { $0.separators == ["12"] })
    }

    @Test func `a credential that was dropped for its size is not taken for a logout of another process`() async throws {
        let (large, small) = (entry(of: "large", size: 3_500), entry(of: "small", size: 500))
        #expect(await save(large))
        #expect(await !stored.mayHaveDropped(large.place))
        #expect(await save(small))
        #expect(try await stored.load(large.place) == nil)
        #expect(try await stored.load(small.place) == small)
        #expect(await stored.mayHaveDropped(large.place))
    }

    @Test func `a credential that alone is too large is not saved`() async throws {
        #expect(await !save(entry(of: "large", size: 5_000)))
        #expect(try await stored.all().isEmpty)
    }
}
