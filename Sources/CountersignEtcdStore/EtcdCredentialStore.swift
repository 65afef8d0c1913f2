public import Countersign
public import CountersignFileStore
internal import Foundation

/// Stores credentials in an etcd cluster, for processes on any number of machines that share one login.
///
/// ```swift
/// var configuration = EtcdConfiguration(
///     endpoints: [etcd1, etcd2, etcd3], landscape: "SAPMobileServices", tenant: "acme")
/// configuration.user = .init(name: "countersign", password: password)
/// let store = try EtcdCredentialStore(
///     configuration, key: key, transport: AsyncHTTPClientTransport())
/// ```
///
/// Credentials are encrypted in the process, like the files of `EncryptedFileStore`, with a key that every machine has and the
/// cluster does not have. The names of the etcd keys are derived from the credentials' names and reveal nothing.
///
/// One process at a time holds the lock of a credential, by a lease that it keeps alive. If it ends, hangs, or cannot reach the
/// cluster, the next process receives the lock after ``EtcdConfiguration/lockLifetime``. A write after a lost lock fails with
/// `lock-lost`, and a write that does not replace the newest version with `conflict`. Waiting processes use a new credential as
/// soon as it is stored.
///
/// The store uses the JSON gateway of etcd's API (`/v3/`), which etcd 3.4 and later have.
public final class EtcdCredentialStore: DistributedCredentialStore {
    let gateway: Gateway
    let names: KeyNames
    let locks = KeyedLocks()
    let configuration: EtcdConfiguration
    private let keys: DerivedKeys

    /// Creates a store. Nothing is sent before the first use.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the cluster.
    ///   - key: The encryption key, the same on every machine.
    ///   - transport: The transport of the requests, such as an `AsyncHTTPClientTransport` that trusts the authorities of the
    ///     cluster's certificates.
    /// - Throws: `CredentialStoreError` with the code `unavailable` for an invalid endpoint or a prefix with a zero byte, `unsafe`
    ///   for an endpoint with plain `http` that is not a loopback address.
    public init(
        _ configuration: EtcdConfiguration, key: StoreKey, transport: any HTTPTransport
    ) throws(CredentialStoreError) {
        guard !configuration.prefix.utf8.contains(0) else {
            throw CredentialStoreError(.unavailable, detail: "the prefix of the keys has a zero byte")
        }
        self.configuration = configuration
        keys = DerivedKeys(key)
        names = KeyNames(prefix: configuration.prefix)
        gateway = try Gateway(configuration, transport: transport)
    }

    public var requiresLock: Bool { !configuration.renewsWithoutLock }

    // MARK: Reading and writing

    public func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential? {
        try await look(key).entry?.credential
    }

    @discardableResult
    public func write(
        _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialVersion {
        let seen = try await look(key)
        guard seen.entry?.credential.version == version else { throw conflict(key) }
        let marker = seen.marker ?? StoreMarker(for: keys)
        let sealed = try cipher(marker).seal(secret, for: key, path: place(key))
        var operations: [Transaction.Operation] = [.put(.init(key: entry(key).start, value: Data(sealed.file)))]
        if seen.marker == nil { operations.append(.put(.init(key: names.marker.start, value: Data(marker.bytes)))) }
        do throws(CredentialStoreError) {
            try await commit(operations, on: key, after: seen) { now in now.entry?.credential.version == sealed.version }
        } catch {
            guard error.code == .conflict, seen.marker == nil else { throw error }
            // The first write of another credential may have created the marker meanwhile, which is no conflict of this one.
            return try await write(secret, for: key, replacing: version)
        }
        return sealed.version
    }

    public func delete(_ key: CredentialKey, replacing version: CredentialVersion) async throws(CredentialStoreError) {
        let seen = try await look(key)
        guard seen.entry?.credential.version == version else { throw conflict(key) }
        try await commit([.deleteRange(entry(key))], on: key, after: seen) { now in now.entry == nil }
    }

    public func discard(_ key: CredentialKey) async throws(CredentialStoreError) {
        _ = try await gateway.transact(Transaction(success: [.deleteRange(entry(key))]), within: configuration.patience)
    }

    public func clear() async throws(CredentialStoreError) {
        _ = try await gateway.transact(
            Transaction(success: [.deleteRange(names.entries), .deleteRange(names.marker)]), within: configuration.patience)
    }

    /// The stored credential and the store's marker, with their revisions.
    private struct Look {
        var marker: StoreMarker?
        var markerRevision: Number = 0
        var entry: (credential: StoredCredential, revision: Number)?
        /// The revision of the cluster.
        var revision: Number
    }

    private func look(_ key: CredentialKey) async throws(CredentialStoreError) -> Look {
        let answer = try await gateway.transact(
            Transaction(success: [.range(.init(names.marker)), .range(.init(entry(key)))]), within: configuration.patience)
        var look = Look(revision: answer.header.latest)
        let found = answer.found(1).first
        guard let marker = answer.found(0).first else {
            guard found == nil else { throw StoreMarker.missing(place(names.marker)) }
            return look
        }
        let known = try StoreMarker(bytes: marker.bytes, path: place(names.marker))
        try known.verify(keys, path: place(names.marker))
        look.marker = known
        look.markerRevision = marker.mod_revision
        if let found {
            let credential = try cipher(known).open(found.bytes, for: key, path: place(key))
            look.entry = (credential, found.mod_revision)
        }
        return look
    }

    /// Changes an entry if it has not changed since `seen` and all locks of the task are still valid.
    ///
    /// A member may have committed the change without being able to respond. A further attempt then encounters that change.
    ///
    /// - Parameter isDone: Whether the current state is the intended one.
    private func commit(
        _ operations: [Transaction.Operation], on key: CredentialKey, after seen: Look, isDone: (Look) -> Bool
    ) async throws(CredentialStoreError) {
        let held = HeldLock.all.filter { $0.store == ObjectIdentifier(self) }
        let unchanged: [Transaction.Comparison] = [
            .modified(entry(key), at: seen.entry?.revision ?? 0), .modified(names.marker, at: seen.markerRevision),
        ]
        // The second fence is for a lease that has expired while no other process waits: the lock then belongs to no other
        // process.
        do throws(CredentialStoreError) {
            for fence in held.isEmpty ? [[]] : [held.map(\.isHeld), held.map(\.isFree)] {
                let answer = try await gateway.transact(
                    Transaction(compare: unchanged + fence, success: operations), within: configuration.patience)
                if answer.isSuccess { return }
            }
        } catch {
            guard error.code == .unavailable else { throw error }
            // The change may have been committed nevertheless.
            if let now = try? await look(key), isDone(now) { return }
            throw CredentialStoreError(.inputOutput, detail: "no response: \(error.detail)", path: error.path)
        }
        let now = try await look(key)
        if isDone(now) { return }
        guard now.entry?.revision == seen.entry?.revision, now.markerRevision == seen.markerRevision else { throw conflict(key) }
        throw CredentialStoreError(.lockLost, detail: "another process now holds the lock", path: place(key))
    }

    public func requireLock() async throws(CredentialStoreError) {
        guard HeldLock.all.allSatisfy({ $0.store != ObjectIdentifier(self) || $0.isAlive }) else {
            throw CredentialStoreError(.lockLost, detail: "the lock's lease has expired", path: names.prefix)
        }
    }

    /// Returns the cipher of the store. It includes the prefix, so that entries of another tenant are invalid here, even with
    /// that tenant's marker.
    private func cipher(_ marker: StoreMarker) -> EntryCipher {
        EntryCipher(keys: keys, marker: marker, place: names.prefix)
    }

    private func entry(_ key: CredentialKey) -> KeyRange { names.entry(keys.fileName(for: key)) }

    private func place(_ range: KeyRange) -> String { String(decoding: range.start, as: UTF8.self) }

    private func place(_ key: CredentialKey) -> String { place(entry(key)) }

    private func conflict(_ key: CredentialKey) -> CredentialStoreError {
        CredentialStoreError(.conflict, detail: "the credential was changed meanwhile", path: place(key))
    }

    // MARK: Waiting

    public func waitForChange(of key: CredentialKey, from version: CredentialVersion?) async throws {
        while true {
            try Task.checkCancellation()
            let seen = try await look(key)
            if seen.entry?.credential.version != version { return }
            try await gateway.awaitChange(of: entry(key), since: seen.revision)
        }
    }

    public func withExclusiveLock<Success: Sendable>(
        on key: CredentialKey, timeout: Duration, _ operation: @Sendable () async throws -> Success
    ) async throws -> Success {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        let lock = names.lock(keys.fileName(for: key))
        // The tasks of this process wait for each other first, so that only one of them is in the cluster's queue.
        let success = try await locks.withLock(on: key, until: deadline, clock: ContinuousClock()) {
            let place = try await LockQueue(
                gateway: self.gateway, name: lock, lifetime: .seconds(max(2, self.configuration.lockLifetime.components.seconds)),
                patience: self.configuration.patience
            )
            .join(until: deadline, for: ObjectIdentifier(self))
            return try await place.use(operation)
        }
        guard let success else { throw LockQueue.timedOut(lock) }
        return success
    }
}

extension EtcdCredentialStore: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "EtcdCredentialStore(\(gateway.description), \(configuration.prefix))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["prefix": configuration.prefix], displayStyle: .class) }
}

/// The names of a store's keys in the cluster.
struct KeyNames: Sendable {
    /// The common prefix of all names.
    let prefix: String

    init(prefix: String) { self.prefix = prefix.hasSuffix("/") ? prefix : prefix + "/" }

    /// The key of the marker, which identifies the store and its encryption key.
    var marker: KeyRange { KeyRange(prefix + "store") }
    /// The keys of all credentials.
    var entries: KeyRange { KeyRange(prefix: prefix + "credential/") }

    func entry(_ name: String) -> KeyRange { KeyRange("\(prefix)credential/\(name)") }

    /// Returns the prefix of the names in the queue for a lock.
    func lock(_ name: String) -> String { "\(prefix)lock/\(name)/" }
}
