public import Countersign
internal import Foundation

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
    let open: @Sendable () async throws -> any CredentialStore
    /// The time limit for actions that should be immediate.
    let patience: Duration

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
    struct Breach: Error, CustomStringConvertible {
        let description: String
    }

    /// Throws a `Breach` if a condition is not met.
    func require(_ condition: Bool, _ breach: String) throws {
        guard condition else { throw Breach(description: breach) }
    }

    /// - Returns: The code of the store's error; `nil` if there was none.
    func code(_ body: () async throws -> Void) async throws -> CredentialStoreError.Code? {
        do {
            try await body()
            return nil
        } catch let error as CredentialStoreError {
            return error.code
        }
    }

    /// Requires that a change ends with a conflict.
    ///
    /// - Parameter change: The change, as the beginning of a sentence.
    func conflicts(_ change: String, _ body: () async throws -> Void) async throws {
        let code = try await code(body)
        try require(code == .conflict, "\(change) ended with \(code?.rawValue ?? "no error") instead of a conflict")
    }

    /// Returns a key under which nothing is stored.
    func name() -> CredentialKey { CredentialKey("contract \(UUID().uuidString)") }

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

    private var distributedRules: [Rule] {
        [
            ("waiting for a change ends when another instance makes one", changeEndsWaiting),
            ("waiting for a change ends at once if it was already made", earlierChangeEndsWaiting),
            ("waiting for a change can be cancelled", waitingForChangesIsCancelled),
        ]
    }
}
