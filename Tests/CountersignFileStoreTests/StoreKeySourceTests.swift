import Countersign
import CountersignFileStore
import Foundation
import Synchronization
import TestTurns
import Testing

/// The store and the source of its key.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct StoreKeySourceTests {
    /// A key source that can be locked, or lose its key.
    private final class Place: StoreKeySource {
        enum State { case empty, locked, has(StoreKey) }

        let state: Mutex<State>
        let made = Mutex(0)
        private let delay: Duration

        init(_ state: State, delay: Duration = .zero) {
            self.state = Mutex(state)
            self.delay = delay
        }

        func existingKey() async throws(CredentialStoreError) -> StoreKey? {
            await Task.yield()
            switch state.withLock({ $0 }) {
            case .empty: return nil
            case .locked: throw CredentialStoreError(.keyUnavailable, detail: "locked")
            case .has(let key): return key
            }
        }

        func makeKey() async throws(CredentialStoreError) -> StoreKey {
            try? await Task.sleep(for: delay)
            let key = StoreKey.random()
            made.withLock { $0 += 1 }
            state.withLock { $0 = .has(key) }
            return key
        }
    }

    /// A key source that answers without a pause, whose end would need a thread of Swift's cooperative pool.
    private final class PromptPlace: StoreKeySource {
        private let kept = Mutex<StoreKey?>(nil)

        func existingKey() async throws(CredentialStoreError) -> StoreKey? { kept.withLock { $0 } }

        func makeKey() async throws(CredentialStoreError) -> StoreKey {
            let key = StoreKey.random()
            kept.withLock { $0 = key }
            return key
        }
    }

    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    @Test func `the first write makes the key, once for all who share the folder`() async throws {
        let place = Place(.empty)
        let stores = (0..<4).map { _ in scratch.open(place, commitTimeout: .seconds(300)) }
        #expect(try await stores[0].read("token") == nil)
        #expect(place.made.withLock { $0 } == 0)
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let key = CredentialKey("\(number)")
                    try await stores[number % 4].write(SecretBytes(utf8: "secret"), for: key, replacing: nil)
                }
            }
            try await group.waitForAll()
        }
        #expect(place.made.withLock { $0 } == 1)
        for number in 0..<20 { #expect(try await scratch.open(place).read(CredentialKey("\(number)")) != nil) }
    }

    @Test func `the tasks of a store wait for its key longer than for the lock of another process`() async throws {
        let place = Place(.empty, delay: .milliseconds(100))
        let store = scratch.open(place, commitTimeout: .milliseconds(5))
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                let key = CredentialKey("\(number)")
                group.addTask { try await store.write(SecretBytes(utf8: "secret"), for: key, replacing: nil) }
            }
            try await group.waitForAll()
        }
        #expect(place.made.withLock { $0 } == 1)
    }

    @Test func `callers that block all threads of tasks get the key nevertheless`() async throws {
        let tokens = CredentialTokenStore(scratch.open(PromptPlace(), commitTimeout: .seconds(300)))
        let url = try #require(URL(string: "https://app.example"))
        let token = OAuth2Token(accessToken: "a", tokenType: "Bearer")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<(4 * ProcessInfo.processInfo.activeProcessorCount) {
                group.addTask { try tokens.store(token: token, for: url) }
            }
            try await group.waitForAll()
        }
        #expect(try tokens.token(for: url) == token)
    }

    @Test func `a key that is lost is not replaced while something is encrypted with it`() async throws {
        let place = Place(.empty)
        try await scratch.open(place).write(SecretBytes(utf8: "secret"), for: "token", replacing: nil)
        place.state.withLock { $0 = .empty }
        let store = scratch.open(place)
        let read = await #expect(throws: CredentialStoreError.self) { try await store.read("token") }
        let write = await #expect(throws: CredentialStoreError.self) {
            try await store.write(SecretBytes(utf8: "x"), for: "other", replacing: nil)
        }
        #expect(read?.code == .keyUnavailable && write?.code == .keyUnavailable)
        #expect(place.made.withLock { $0 } == 1)
        // The remedy.
        try await store.clear()
        try await store.write(SecretBytes(utf8: "x"), for: "other", replacing: nil)
        #expect(place.made.withLock { $0 } == 2)
    }

    @Test func `a key that was replaced is used after the store was cleared, by the same store too`() async throws {
        let (old, new) = (StoreKey.random(), StoreKey.random())
        let place = Place(.has(old))
        let store = scratch.open(place)
        try await store.write(SecretBytes(utf8: "secret"), for: "token", replacing: nil)
        place.state.withLock { $0 = .has(new) }
        try await store.clear()
        try await store.write(SecretBytes(utf8: "x"), for: "token", replacing: nil)
        // The next process has the new key alone.
        #expect(try await scratch.open(new).read("token")?.secret == SecretBytes(utf8: "x"))
    }

    @Test func `a place that is locked is asked again the next time`() async throws {
        let place = Place(.locked)
        let store = scratch.open(place)
        let error = await #expect(throws: CredentialStoreError.self) { try await store.read("token") }
        #expect(error?.code == .keyUnavailable)
        let refused = await #expect(throws: CredentialStoreError.self) {
            try await store.write(SecretBytes(utf8: "secret"), for: "token", replacing: nil)
        }
        #expect(refused?.code == .keyUnavailable)
        place.state.withLock { $0 = .empty }
        try await store.write(SecretBytes(utf8: "secret"), for: "token", replacing: nil)
        #expect(try await store.read("token") != nil)
    }
}
