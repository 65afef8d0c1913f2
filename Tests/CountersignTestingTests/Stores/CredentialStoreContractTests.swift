import Countersign
import CountersignTesting
import Synchronization
import TestTurns
import Testing

/// The contract of stores, with a store that fulfils it and others that each break a rule.
@Suite(.takesTurns) struct CredentialStoreContractTests {
    @Test func `a store in memory keeps it`() async {
        let store = MemoryCredentialStore()
        let findings = await CredentialStoreContract { store }.findings()
        #expect(findings.count > 10)
        for finding in findings { #expect(finding.isKept, "\(finding)") }
    }

    enum Fault: CaseIterable {
        case forgetsVersions, countsFromOne, hasNoLock, locksAllNames, neverTimesOut, givesUpWhenCancelled, showsNames, foldsNames
        case losesEmptySecrets, keepsLockAfterErrors
    }

    /// The findings that must be reported, by a word of the rule.
    private static let findings: [Fault: String] = [
        .forgetsVersions: "name the current version", .countsFromOne: "used twice", .hasNoLock: "only one task",
        .locksAllNames: "different names", .neverTimesOut: "after the time limit", .givesUpWhenCancelled: "in a cancelled task",
        .showsNames: "no description", .foldsNames: "compared by their bytes", .losesEmptySecrets: "any bytes",
        .keepsLockAfterErrors: "is rethrown",
    ]

    @Test(arguments: Fault.allCases) func `a store that breaks a rule is found`(_ fault: Fault) async throws {
        let store = FaultyStore(fault)
        let findings = await CredentialStoreContract(patience: .milliseconds(500)) { store }.findings()
        let word = try #require(Self.findings[fault])
        #expect(findings.contains { !$0.isKept && $0.rule.contains(word) }, "\(findings.filter { !$0.isKept })")
    }

    /// A store in memory with one fault.
    private final class FaultyStore: CredentialStore, CustomStringConvertible {
        private let fault: Fault
        private let store = MemoryCredentialStore()
        private let names = Mutex<[String]>([])
        private let count = Mutex<[CredentialKey: Int]>([:])
        /// The keys whose locks are never released.
        private let stuck = Mutex<Set<CredentialKey>>([])

        init(_ fault: Fault) { self.fault = fault }

        var description: String { fault == .showsNames ? "\(names.withLock { $0 })" : "FaultyStore" }

        private func key(_ key: CredentialKey) -> CredentialKey {
            // Strings that are canonically equivalent in Unicode get one spelling.
            fault == .foldsNames ? CredentialKey(String(key.name.map { $0 == "é" ? "é" : $0 })) : key
        }

        func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential? {
            guard let found = try await store.read(self.key(key)) else { return nil }
            if fault == .losesEmptySecrets, found.secret.bytes.isEmpty { return nil }
            guard fault == .countsFromOne else { return found }
            return StoredCredential(secret: found.secret, version: number(of: key))
        }

        private func number(of key: CredentialKey) -> CredentialVersion {
            CredentialVersion(rawValue: String(count.withLock { $0[key] ?? 0 }))
        }

        func write(
            _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
        ) async throws(CredentialStoreError) -> CredentialVersion {
            names.withLock { $0.append(key.name) }
            if fault == .givesUpWhenCancelled, Task.isCancelled { throw CredentialStoreError(.inputOutput, detail: "cancelled") }
            switch fault {
            case .forgetsVersions:
                return try await store.write(secret, for: key, replacing: try await store.read(key)?.version)
            case .countsFromOne:
                let seen = try await store.read(key)
                guard seen.map({ _ in number(of: key) }) == version else { throw CredentialStoreError(.conflict, detail: "") }
                try await store.write(secret, for: key, replacing: seen?.version)
                count.withLock { $0[key] = (version.flatMap { Int($0.rawValue) } ?? 0) + 1 }
                return number(of: key)
            default: return try await store.write(secret, for: self.key(key), replacing: version)
            }
        }

        func delete(_ key: CredentialKey, replacing version: CredentialVersion) async throws(CredentialStoreError) {
            let isCounting = fault == .countsFromOne && version == number(of: key)
            let isForgetful = fault == .forgetsVersions
            guard isCounting || isForgetful else { return try await store.delete(self.key(key), replacing: version) }
            try await store.discard(key)
        }

        func discard(_ key: CredentialKey) async throws(CredentialStoreError) { try await store.discard(self.key(key)) }

        func clear() async throws(CredentialStoreError) { try await store.clear() }

        func withExclusiveLock<Success: Sendable>(
            on key: CredentialKey, timeout: Duration, _ operation: @Sendable () async throws -> Success
        ) async throws -> Success {
            switch fault {
            case .hasNoLock: return try await operation()
            case .locksAllNames: return try await store.withExclusiveLock(on: "all", timeout: timeout, operation)
            case .neverTimesOut where timeout < .milliseconds(500):
                return try await store.withExclusiveLock(on: key, timeout: .seconds(2), operation)
            case .keepsLockAfterErrors:
                guard !stuck.withLock({ $0.contains(key) }) else { throw CredentialStoreError(.lockTimedOut, detail: "") }
                return try await store.withExclusiveLock(on: key, timeout: timeout) {
                    do { return try await operation() } catch {
                        stuck.withLock { _ = $0.insert(key) }
                        throw error
                    }
                }
            default: return try await store.withExclusiveLock(on: key, timeout: timeout, operation)
            }
        }
    }
}
