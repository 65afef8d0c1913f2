public import Countersign
internal import Foundation
internal import Synchronization

/// Checks the requirements of `CredentialStore` on an implementation.
///
/// To check a custom store in a test:
///
/// ```swift
/// let contract = CredentialStoreContract { try MyStore(folder) }
/// for finding in await contract.findings() {
///     #expect(finding.isKept, "\(finding)")
/// }
/// ```
///
/// The check deletes all stored credentials.
public struct CredentialStoreContract: Sendable {
    /// The result of checking a requirement.
    public struct Finding: Sendable, CustomStringConvertible {
        /// The requirement, as a sentence.
        public let rule: String
        /// The observed failure; `nil` if the requirement is met.
        public let failure: String?

        /// Whether the requirement is met.
        public var isKept: Bool { failure == nil }

        public var description: String { failure.map { "broken: \(rule): \($0)" } ?? "kept: \(rule)" }
    }

    /// Opens the store, like another process that shares it.
    private let open: @Sendable () async throws -> any CredentialStore
    /// The time limit for actions that should be immediate.
    private let patience: Duration

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - patience: The time limit for immediate actions of a store, such as waking a task that waits for a lock.
    ///   - open: Opens the store. It is called several times and must open the same store, for example the same folder. An
    ///     in-memory store is created once and returned each time.
    public init(patience: Duration = .seconds(30), open: @escaping @Sendable () async throws -> any CredentialStore) {
        self.open = open
        self.patience = patience
    }

    /// Checks the requirements one after another.
    ///
    /// - Returns: A finding for each requirement; those of `DistributedCredentialStore` only for such a store.
    public func findings() async -> [Finding] {
        var findings: [Finding] = []
        for (rule, trial) in rules + (await isDistributed() ? distributedRules : []) {
            do {
                try await trial(try await open())
                findings.append(Finding(rule: rule, failure: nil))
            } catch {
                findings.append(Finding(rule: rule, failure: "\(error)"))
            }
        }
        return findings
    }

    private func isDistributed() async -> Bool { (try? await open()) is any DistributedCredentialStore }

    private typealias Rule = (rule: String, trial: (any CredentialStore) async throws -> Void)

    /// The violation of a requirement.
    private struct Breach: Error, CustomStringConvertible {
        let description: String
    }

    private func require(_ condition: Bool, _ breach: String) throws {
        guard condition else { throw Breach(description: breach) }
    }

    /// - Returns: The code of the store's error; `nil` if there was none.
    private func code(_ body: () async throws -> Void) async throws -> CredentialStoreError.Code? {
        do {
            try await body()
            return nil
        } catch let error as CredentialStoreError {
            return error.code
        }
    }

    private func conflicts(_ what: String, _ body: () async throws -> Void) async throws {
        let code = try await code(body)
        try require(code == .conflict, "\(what) ended with \(code?.rawValue ?? "no error") instead of a conflict")
    }

    /// Returns a key under which nothing is stored.
    private func name() -> CredentialKey { CredentialKey("contract \(UUID().uuidString)") }

    // MARK: Versions

    private var rules: [Rule] {
        [
            ("a credential that was not stored is not found", { try require(try await $0.read(name()) == nil, "one was found") }),
            ("a stored credential is read unchanged by every instance of the store", whatIsStoredIsFound),
            ("a secret may consist of any bytes", anyBytesAreASecret),
            ("names are compared by their bytes", namesAreTheirBytes),
            ("a change that does not name the current version conflicts and changes nothing", changesNameVersions),
            ("no version is used twice", noVersionComesTwice),
            ("of several concurrent writes that replace the same version, exactly one succeeds", oneReplaces),
            ("a discarded credential is deleted, whatever its version", discards),
            ("a write in a cancelled task succeeds", cancelledTasksStore),
            ("only one task holds the lock at a time, across all instances of the store", lockExcludes),
            ("locks of different names do not affect each other", locksAreApart),
            ("reading and writing do not wait for the lock", readingDoesNotWait),
            ("an error of the operation is rethrown and releases the lock", lockEndsWithError),
            ("waiting for the lock throws an error after the time limit", lockTimesOut),
            ("waiting for the lock can be cancelled", waitingIsCancelled),
            ("no description contains a name or a secret", descriptionsAreFree),
            ("a cleared store is empty and still usable", clears),
        ]
    }

    private func whatIsStoredIsFound(_ store: any CredentialStore) async throws {
        let name = name()
        let version = try await store.write(SecretBytes(utf8: "secret"), for: name, replacing: nil)
        let stored = StoredCredential(secret: SecretBytes(utf8: "secret"), version: version)
        try require(try await store.read(name) == stored, "another secret or version was read")
        try require(try await open().read(name) == stored, "another instance of the store read another secret or version")
    }

    private func anyBytesAreASecret(_ store: any CredentialStore) async throws {
        for bytes in [[], [0], Array(0...255), [UInt8](repeating: 0xff, count: 64 << 10)] as [[UInt8]] {
            let name = name()
            try await store.write(SecretBytes(bytes), for: name, replacing: nil)
            try require(
                try await store.read(name)?.secret == SecretBytes(bytes), "a secret of \(bytes.count) bytes was not read unchanged")
        }
    }

    private func namesAreTheirBytes(_ store: any CredentialStore) async throws {
        let base = name().name
        // The first two names are canonically equivalent in Unicode but differ in bytes.
        let names = ["\(base)\u{e9}", "\(base)e\u{301}", "\(base)/../x", "\(base)\n\0", String(repeating: base, count: 50)]
        for name in names { try await store.write(SecretBytes(utf8: "of \(name)"), for: CredentialKey(name), replacing: nil) }
        for name in names {
            try require(
                try await store.read(CredentialKey(name))?.secret == SecretBytes(utf8: "of \(name)"),
                "two different names were treated as one")
        }
    }

    private func changesNameVersions(_ store: any CredentialStore) async throws {
        let name = name()
        let missing = CredentialVersion(rawValue: "0")
        try await conflicts("replacing a missing credential") {
            try await store.write(SecretBytes(utf8: "x"), for: name, replacing: missing)
        }
        try await conflicts("deleting a missing credential") { try await store.delete(name, replacing: missing) }
        let first = try await store.write(SecretBytes(utf8: "1"), for: name, replacing: nil)
        try await conflicts("storing a new credential where there already is one") {
            try await store.write(SecretBytes(utf8: "x"), for: name, replacing: nil)
        }
        let second = try await store.write(SecretBytes(utf8: "2"), for: name, replacing: first)
        try await conflicts("replacing an old version") {
            try await store.write(SecretBytes(utf8: "x"), for: name, replacing: first)
        }
        try await conflicts("deleting an old version") { try await store.delete(name, replacing: first) }
        let stored = StoredCredential(secret: SecretBytes(utf8: "2"), version: second)
        try require(try await store.read(name) == stored, "a change that conflicts has modified the credential")
        try await store.delete(name, replacing: second)
        try require(try await store.read(name) == nil, "a deleted credential was found")
    }

    private func noVersionComesTwice(_ store: any CredentialStore) async throws {
        let name = name()
        var versions: Set<CredentialVersion> = []
        for _ in 0..<4 {
            let version = try await store.write(SecretBytes(utf8: "same"), for: name, replacing: nil)
            try require(versions.insert(version).inserted, "a version was reused after a deletion")
            let next = try await store.write(SecretBytes(utf8: "same"), for: name, replacing: version)
            try require(versions.insert(next).inserted, "a version was reused for the same secret")
            try await store.delete(name, replacing: next)
        }
    }

    private func oneReplaces(_ store: any CredentialStore) async throws {
        let name = name()
        let other = try await open()
        let version = try await store.write(SecretBytes(utf8: "0"), for: name, replacing: nil)
        let successes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let store = number.isMultiple(of: 2) ? store : other
                    return (try? await store.write(SecretBytes(utf8: "\(number)"), for: name, replacing: version)) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        try require(successes == 1, "\(successes) writes succeeded")
    }

    private func discards(_ store: any CredentialStore) async throws {
        let name = name()
        try await store.discard(name)
        let version = try await store.write(SecretBytes(utf8: "x"), for: name, replacing: nil)
        try await store.discard(name)
        try require(try await store.read(name) == nil, "a discarded credential was found")
        try await conflicts("replacing a discarded credential") {
            try await store.write(SecretBytes(utf8: "y"), for: name, replacing: version)
        }
    }

    private func cancelledTasksStore(_ store: any CredentialStore) async throws {
        let name = name()
        let task = Task {
            // The sleep ends when the task is cancelled.
            try? await Task.sleep(for: .seconds(3_600))
            try await store.write(SecretBytes(utf8: "late"), for: name, replacing: nil)
        }
        task.cancel()
        _ = try await task.value
        try require(try await store.read(name)?.secret == SecretBytes(utf8: "late"), "the credential was not stored")
    }

    private func clears(_ store: any CredentialStore) async throws {
        let names = [name(), name()]
        for name in names { try await store.write(SecretBytes(utf8: "x"), for: name, replacing: nil) }
        try await store.clear()
        for name in names { try require(try await store.read(name) == nil, "a credential was found") }
        try await store.write(SecretBytes(utf8: "y"), for: names[0], replacing: nil)
        try require(try await open().read(names[0])?.secret == SecretBytes(utf8: "y"), "nothing can be stored after clearing")
        try await store.clear()
    }

    private func descriptionsAreFree(_ store: any CredentialStore) async throws {
        let name = name()
        try await store.write(SecretBytes(utf8: "hunter2"), for: name, replacing: nil)
        var dump = ""
        Swift.dump(store, to: &dump)
        var texts = ["\(store)", String(reflecting: store), dump]
        do {
            try await store.write(SecretBytes(utf8: "hunter2"), for: name, replacing: nil)
        } catch {
            texts += ["\(error)", String(reflecting: error)]
        }
        try require(texts.allSatisfy { !$0.contains(name.name) && !$0.contains("hunter2") }, "a description contains one")
    }

    // MARK: Locks

    private func lockExcludes(_ store: any CredentialStore) async throws {
        let name = name()
        let stores = [store, try await open(), try await open()]
        let room = Room()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<9 {
                group.addTask {
                    try await stores[number % 3].withExclusiveLock(on: name, timeout: patience) {
                        room.enter()
                        try await Task.sleep(for: .milliseconds(5))
                        room.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        try require(room.most == 1, "\(room.most) tasks held the lock at the same time")
    }

    /// Runs `body` while another instance of the store holds the lock.
    private func whileLocked(_ name: CredentialKey, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await open().withExclusiveLock(on: name, timeout: patience) { try await body() }
    }

    private func locksAreApart(_ store: any CredentialStore) async throws {
        let other = name()
        try await whileLocked(name()) {
            try await store.withExclusiveLock(on: other, timeout: patience) {}
        }
    }

    private func readingDoesNotWait(_ store: any CredentialStore) async throws {
        let name = name()
        try await whileLocked(name) {
            let version = try await store.write(SecretBytes(utf8: "x"), for: name, replacing: nil)
            try require(try await store.read(name)?.version == version, "another version was read")
            try await store.delete(name, replacing: version)
        }
    }

    private func lockEndsWithError(_ store: any CredentialStore) async throws {
        let name = name()
        do {
            try await store.withExclusiveLock(on: name, timeout: patience) { throw Breach(description: "on purpose") }
            try require(false, "the error was lost")
        } catch let error as Breach where error.description == "on purpose" {}
        // Throws if the lock was not released.
        try await open().withExclusiveLock(on: name, timeout: patience) {}
    }

    private func lockTimesOut(_ store: any CredentialStore) async throws {
        let name = name()
        try await whileLocked(name) {
            var limit = Duration.milliseconds(200)
            while true {
                let start = ContinuousClock.now
                let code = try await code { [limit] in try await store.withExclusiveLock(on: name, timeout: limit) {} }
                let time = start.duration(to: .now)
                // The limit is also that of the store's requests to a server, which may need longer to answer.
                if code == .unavailable, limit < patience {
                    limit *= 4
                    continue
                }
                try require(code == .lockTimedOut, "waiting ended with \(code?.rawValue ?? "no error")")
                try require(time < limit + patience, "the error was thrown only after \(time)")
                return
            }
        }
    }

    private func waitingIsCancelled(_ store: any CredentialStore) async throws {
        let name = name()
        try await whileLocked(name) {
            let waiting = Task { try await store.withExclusiveLock(on: name, timeout: .seconds(3_600)) {} }
            try await Task.sleep(for: .milliseconds(100))
            waiting.cancel()
            let result = await waiting.result
            guard case .failure(let error) = result, error is CancellationError else {
                throw Breach(description: "waiting ended with \(result)")
            }
        }
    }

    // MARK: Distributed stores

    private var distributedRules: [Rule] {
        [
            ("waiting for a change ends when another instance makes one", changesAreTold),
            ("waiting for a change ends at once if it was already made", earlierChangesAreTold),
            ("waiting for a change can be cancelled", waitingForChangesIsCancelled),
        ]
    }

    private func distributed(_ store: any CredentialStore) throws -> any DistributedCredentialStore {
        guard let store = store as? any DistributedCredentialStore else {
            throw Breach(description: "the opened store is not a DistributedCredentialStore")
        }
        return store
    }

    private func changesAreTold(_ store: any CredentialStore) async throws {
        let name = name()
        let store = try distributed(store)
        let other = try await open()
        let version = try await store.write(SecretBytes(utf8: "1"), for: name, replacing: nil)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                // `waitForChange` may return early.
                while try await store.read(name)?.version == version { try await store.waitForChange(of: name, from: version) }
                return true
            }
            group.addTask {
                try await Task.sleep(for: .milliseconds(200))
                try await other.write(SecretBytes(utf8: "2"), for: name, replacing: version)
                try await Task.sleep(for: patience)
                return false
            }
            try require(try await group.next() == true, "waiting did not end within \(patience)")
            group.cancelAll()
        }
    }

    private func earlierChangesAreTold(_ store: any CredentialStore) async throws {
        let name = name()
        let store = try distributed(store)
        try await store.write(SecretBytes(utf8: "1"), for: name, replacing: nil)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await store.waitForChange(of: name, from: nil)
                return true
            }
            group.addTask {
                try await Task.sleep(for: patience)
                return false
            }
            try require(try await group.next() == true, "waiting did not end within \(patience)")
            group.cancelAll()
        }
    }

    private func waitingForChangesIsCancelled(_ store: any CredentialStore) async throws {
        let name = name()
        let store = try distributed(store)
        let waiting = Task { while true { try await store.waitForChange(of: name, from: nil) } }
        try await Task.sleep(for: .milliseconds(200))
        waiting.cancel()
        let start = ContinuousClock.now
        _ = await waiting.result
        try require(start.duration(to: .now) < patience, "waiting ended only after \(start.duration(to: .now))")
    }
}

/// Counts the tasks that hold the lock at the same time.
private final class Room: Sendable {
    private let count = Mutex((now: 0, most: 0))

    var most: Int { count.withLock { $0.most } }

    func enter() {
        count.withLock { count in
            count.now += 1
            count.most = max(count.most, count.now)
        }
    }

    func leave() { count.withLock { $0.now -= 1 } }
}
