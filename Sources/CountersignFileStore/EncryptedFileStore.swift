public import Countersign
public import Foundation
internal import Synchronization

/// Stores credentials in encrypted files of a folder, for any number of tasks and processes of one user on one machine.
///
/// ```swift
/// let store = EncryptedFileStore(folder: support.appending(path: "credentials"), key: key)
/// let version = try await store.write(SecretBytes(utf8: token), for: "https://login.example/oauth/token", replacing: nil)
/// ```
///
/// **Protection.** An attacker with the files but without the key (a backup, a stolen disk, another user) learns the number and the
/// lengths of the credentials and the times of their changes, but neither their contents nor their names. Altered files, swapped
/// files and files of another store are detected and refused. There is no protection against an attacker with the key, against
/// other programs of the same user on systems that let them read the process's memory, or against a rollback to an older file by an
/// attacker who can write the folder.
///
/// **Durability.** Files are replaced atomically: written under another name, synced, renamed, and the folder synced. After a full
/// disk, a disk error or a crash, either the old or the new value is stored. A damaged file is an error, and is kept until
/// ``discard(_:)`` or ``clear()``.
///
/// **Requirements.** The file system must support `flock(2)` among all writers, as local ones do. The folder must belong to the
/// user, must not be a link, and must not be writable by others. If it does not exist, the store is empty, and creates it when
/// needed. Tasks receive a lock in the order of their calls. Processes poll for it, at least every 20 ms.
public final class EncryptedFileStore: CredentialStore {
    /// The folder of the files.
    public let folder: URL

    /// The folder's path, without a trailing slash, with which a symbolic link would be followed.
    let path: String
    private let source: any StoreKeySource
    let clock: any Clock<Duration>
    private let commitTimeout: Duration
    private let beforeStep: @Sendable (StoreFolder.Step) throws(CredentialStoreError) -> Void

    private let keys = Mutex(Keys())
    let locks = KeyedLocks()
    let reads = BlockingQueue("countersign.file-store.reads", isSerial: false)
    private let commits = BlockingQueue("countersign.file-store.commits", isSerial: true)
    private let keyMaking = BlockingBridge()

    /// Creates a store. The folder is not accessed before the first use.
    ///
    /// - Parameters:
    ///   - folder: The folder of the files. Use it for nothing else.
    ///   - key: The key, or its source.
    ///   - clock: The clock for lock timeouts.
    public convenience init(
        folder: URL, key: any StoreKeySource, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(folder: folder, key: key, clock: clock, commitTimeout: .seconds(10)) { _ in }
    }

    init(
        folder: URL, key: any StoreKeySource, clock: any Clock<Duration>, commitTimeout: Duration,
        beforeStep: @escaping @Sendable (StoreFolder.Step) throws(CredentialStoreError) -> Void
    ) {
        self.folder = folder
        // The path is absolute, so that it does not change with the working directory.
        var path = folder.absoluteURL.path(percentEncoded: false)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        source = key
        self.clock = clock
        self.commitTimeout = commitTimeout
        self.beforeStep = beforeStep
    }

    public func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential? {
        guard let files = try await filesIfThere() else { return nil }
        return try await reads.run { () throws(CredentialStoreError) in try files.read(key) }
    }

    @discardableResult
    public func write(
        _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialVersion {
        let files = try await filesMakingKey()
        return try await commits.run { () throws(CredentialStoreError) in try files.write(secret, for: key, replacing: version) }
    }

    public func delete(_ key: CredentialKey, replacing version: CredentialVersion) async throws(CredentialStoreError) {
        guard let files = try await filesIfThere() else { throw EntryFiles.conflict(path) }
        try await commits.run { () throws(CredentialStoreError) in try files.delete(key, replacing: version) }
    }

    public func discard(_ key: CredentialKey) async throws(CredentialStoreError) {
        guard let files = try await filesIfThere() else { return }
        try await commits.run { () throws(CredentialStoreError) in try files.discard(key) }
    }

    /// Deletes all credentials, readable or not, even if the key is wrong or lost. Afterwards the store can have another key: the
    /// source is asked again, for example for a file that has been replaced.
    ///
    /// - Throws: `CredentialStoreError`.
    public func clear() async throws(CredentialStoreError) {
        try verifyPath()
        // Before the deletion, so that no later call encrypts with the former key.
        keys.withLock { $0.known = nil }
        try await commits.run { [path, commitTimeout] () throws(CredentialStoreError) in
            try EntryFiles.clear(path, commitTimeout: commitTimeout)
        }
    }
}

extension EncryptedFileStore {
    // MARK: The key

    /// The keys that are derived from the store's key.
    private struct Keys {
        var known: DerivedKeys?
        /// The task that creates the key. All callers that need it meanwhile wait for this one.
        var making: Task<Result<DerivedKeys, CredentialStoreError>, Never>?
    }

    /// Returns the files of the store; `nil` if there is no key.
    private func files() async throws(CredentialStoreError) -> EntryFiles? {
        try verifyPath()
        guard let keys = try await existingKeys() else { return nil }
        return files(keys)
    }

    private func existingKeys() async throws(CredentialStoreError) -> DerivedKeys? {
        if let known = keys.withLock(\.known) { return known }
        guard let key = try await source.existingKey() else { return nil }
        let derived = DerivedKeys(key)
        keys.withLock { $0.known = derived }
        return derived
    }

    /// Returns the files of the store; `nil` if there is no key and no data that needs one.
    private func filesIfThere() async throws(CredentialStoreError) -> EntryFiles? {
        if let files = try await files() { return files }
        try await verifyNothingNeedsKey()
        return nil
    }

    private func verifyNothingNeedsKey() async throws(CredentialStoreError) {
        let needKey = try await reads.run { [path] () throws(CredentialStoreError) in try EntryFiles.needKey(in: path) }
        guard needKey else { return }
        throw CredentialStoreError(
            .keyUnavailable, detail: "the store's key is missing from the place where it is kept", path: path)
    }

    /// Returns the files of the store, and creates the key if there is none.
    func filesMakingKey() async throws(CredentialStoreError) -> EntryFiles {
        if let files = try await files() { return files }
        let making = keys.withLock { keys in
            if let making = keys.making { return making }
            // Not on the cooperative threads, which may all be blocked by synchronous callers, such as those of `CredentialTokenStore`.
            let making = Task(executorPreference: keyMaking) { () async -> Result<DerivedKeys, CredentialStoreError> in
                defer { self.keys.withLock { $0.making = nil } }
                do throws(CredentialStoreError) { return .success(try await self.makeKeys()) } catch { return .failure(error) }
            }
            keys.making = making
            return making
        }
        return files(try await making.value.get())
    }

    /// Creates the key, unless another process has created it meanwhile.
    ///
    /// The folder's lock prevents two processes from creating different keys. If encrypted data exists, the missing key is lost,
    /// and a new one could not decrypt the data.
    private func makeKeys() async throws(CredentialStoreError) -> DerivedKeys {
        let lock = try await commits.run { [path, commitTimeout] () throws(CredentialStoreError) in
            try StoreFolder.create(path)
            return try FileLock.waiting(for: FileName.keyLock, in: path, timeout: commitTimeout)
        }
        defer { lock.release() }
        if let existing = try await existingKeys() { return existing }
        try await verifyNothingNeedsKey()
        let derived = DerivedKeys(try await source.makeKey())
        keys.withLock { $0.known = derived }
        return derived
    }

    /// Checks the path. For the system, a path ends at a zero byte, so it would be another folder.
    private func verifyPath() throws(CredentialStoreError) {
        guard folder.isFileURL, !path.utf8.contains(0) else {
            throw CredentialStoreError(.unavailable, detail: "the URL does not name a folder")
        }
    }

    private func files(_ keys: DerivedKeys) -> EntryFiles {
        EntryFiles(path: path, keys: keys, commitTimeout: commitTimeout, beforeStep: beforeStep)
    }
}

extension EncryptedFileStore: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "EncryptedFileStore(\(path))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["path": path], displayStyle: .class) }
}
