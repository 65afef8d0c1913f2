import Foundation
import Testing

@testable import Countersign

/// Tokens that are saved after the stored one was damaged.
@Suite("Stored tokens after damage", .timeLimit(.minutes(10)))
struct DamagedTokenTests {
    private let store = FailingStore([:])
    private let tokens: TokenCredentials
    private let place: ProtectionSpace

    init() throws {
        let url = try #require(URL(string: "https://app.example"))
        place = ProtectionSpace(server: Origin(url), separators: [])
        tokens = TokenCredentials(CredentialTokenStore(store), for: nil)
    }

    private func entry(_ name: String) -> CredentialEntry {
        let token = OAuth2Token(
            accessToken: "access \(name)", tokenType: "Bearer", expiryDate: nil, scopes: [], refreshToken: "refresh \(name)")
        return CredentialEntry(token, for: place)
    }

    /// Saves a token.
    ///
    /// - Returns: Whether the store has it now.
    private func save(_ entry: CredentialEntry, insteadOf basis: StoredBasis) async -> Bool {
        let outcome = await tokens.save(for: place) { StoredChange(entry: entry, basis: basis) }
        if case .kept = outcome { return true }
        return false
    }

    /// Saves a token in place of a damaged one, which is deleted. The save itself fails.
    private func loseToken() async {
        #expect(await save(entry("1"), insteadOf: .nothing))
        store.fail("read", .corrupt)
        store.fail("write", .noSpace)
        #expect(await !save(entry("2"), insteadOf: .entry(entry("1"))))
        store.heal()
    }

    @Test func `a save is repeated after the damaged token was deleted and the new one not stored`() async throws {
        await loseToken()
        #expect(try await tokens.load(place) == nil)
        #expect(await save(entry("2"), insteadOf: .entry(entry("1"))))
        #expect(try await tokens.load(place) == entry("2"))
    }

    @Test func `another token that was saved meanwhile is not replaced`() async throws {
        await loseToken()
        let process = TokenCredentials(CredentialTokenStore(store), for: nil)
        let other = entry("3")
        _ = await process.save(for: place) { StoredChange(entry: other, basis: .nothing) }
        #expect(await !save(entry("2"), insteadOf: .entry(entry("1"))))
        #expect(try await tokens.load(place) == other)
    }

    @Test func `a token that is missing after damage is no logout of another process, until it is saved again`() async throws {
        await loseToken()
        #expect(await tokens.mayHaveDropped(place))
        #expect(await save(entry("2"), insteadOf: .nothing))
        #expect(await !tokens.mayHaveDropped(place))
        // The logout of another process is noticed again.
        try await store.clear()
        #expect(await !save(entry("3"), insteadOf: .entry(entry("2"))))
    }

    @Test func `a logout ends what is known of damage`() async throws {
        await loseToken()
        tokens.disown()
        #expect(await !tokens.mayHaveDropped(place))
    }
}
