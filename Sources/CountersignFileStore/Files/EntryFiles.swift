internal import Countersign
internal import Foundation

/// The files of a store with its key. All methods block.
///
/// Every change holds the folder's commit lock, from reading the current version until the new one is in place. Reading needs no
/// lock, because files are replaced atomically.
struct EntryFiles: Sendable {
    let path: String
    let keys: DerivedKeys
    let commitTimeout: Duration
    /// Called before each step of a replacement, where tests can inject failures.
    let beforeStep: @Sendable (StoreFolder.Step) throws(CredentialStoreError) -> Void

    func read(_ key: CredentialKey) throws(CredentialStoreError) -> StoredCredential? {
        do throws(CredentialStoreError) {
            return try Self.ifThere(path) { folder throws(CredentialStoreError) in try read(key, in: folder) } ?? nil
        } catch {
            guard error.code == .corrupt || error.code == .storeDamaged else { throw error }
            // The store may have been cleared and filled again between reading its marker and the entry. Under the lock this
            // cannot happen. If the lock is not available, the first result counts.
            guard let lock = try? FileLock.waiting(for: FileName.commitLock, in: path, timeout: commitTimeout) else { throw error }
            defer { lock.release() }
            return try Self.ifThere(path) { folder throws(CredentialStoreError) in try read(key, in: folder) } ?? nil
        }
    }

    func write(
        _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
    ) throws(CredentialStoreError) -> CredentialVersion {
        try StoreFolder.create(path)
        let lock = try FileLock.waiting(for: FileName.commitLock, in: path, timeout: commitTimeout)
        defer { lock.release() }
        let folder = try StoreFolder(path: path)
        let found = try marker(in: folder)
        let name = FileName.entry(keys.fileName(for: key))
        try verify(version, of: key, in: folder)
        let marker = found ?? StoreMarker(for: keys)
        let sealed = try EntryCipher(keys: keys, marker: marker).seal(secret, for: key, path: folder.path(of: name))
        if found == nil { try folder.replace(FileName.marker, with: marker.bytes, before: beforeStep) }
        try folder.replace(name, with: sealed.file, before: beforeStep)
        return sealed.version
    }

    func delete(_ key: CredentialKey, replacing version: CredentialVersion) throws(CredentialStoreError) {
        let isThere: Void? = try Self.locked(path, commitTimeout) { folder throws(CredentialStoreError) in
            try verify(version, of: key, in: folder)
            try folder.remove(FileName.entry(keys.fileName(for: key)))
            try folder.synchronize()
        }
        if isThere == nil { throw Self.conflict(path) }
    }

    func discard(_ key: CredentialKey) throws(CredentialStoreError) {
        _ = try Self.locked(path, commitTimeout) { folder throws(CredentialStoreError) in
            try folder.remove(FileName.entry(keys.fileName(for: key)))
            try folder.synchronize()
        }
    }

    /// Whether the folder contains files that need a key.
    static func needKey(in path: String) throws(CredentialStoreError) -> Bool {
        try ifThere(path) { folder throws(CredentialStoreError) in
            try folder.names().contains { $0 == FileName.marker || FileName.isEntry($0) }
        } ?? false
    }

    /// Deletes all entries, and then the marker. Older files become invalid, and the next key may be another one.
    static func clear(_ path: String, commitTimeout: Duration) throws(CredentialStoreError) {
        _ = try locked(path, commitTimeout) { folder throws(CredentialStoreError) in
            for name in try folder.names() where FileName.isEntry(name) { try folder.remove(name) }
            try folder.remove(FileName.temporary)
            try folder.synchronize()
            try folder.remove(FileName.marker)
            try folder.synchronize()
        }
    }

    // MARK: Under the lock, or without

    private func read(_ key: CredentialKey, in folder: borrowing StoreFolder) throws(CredentialStoreError) -> StoredCredential? {
        guard let marker = try marker(in: folder) else { return nil }
        let name = FileName.entry(keys.fileName(for: key))
        guard let file = try folder.read(name, limit: EntryCipher.maximumFileSize) else { return nil }
        return try EntryCipher(keys: keys, marker: marker).open(file, for: key, path: folder.path(of: name))
    }

    private func verify(
        _ version: CredentialVersion?, of key: CredentialKey, in folder: borrowing StoreFolder
    ) throws(CredentialStoreError) {
        guard try read(key, in: folder)?.version == version else {
            throw Self.conflict(folder.path(of: FileName.entry(keys.fileName(for: key))))
        }
    }

    /// Returns the store's marker; `nil` if the store is new.
    private func marker(in folder: borrowing StoreFolder) throws(CredentialStoreError) -> StoreMarker? {
        let path = folder.path(of: FileName.marker)
        let bytes: [UInt8]?
        do throws(CredentialStoreError) {
            bytes = try folder.read(FileName.marker, limit: EntryCipher.maximumFileSize)
        } catch {
            throw error.code == .foreign ? StoreMarker.damaged(path) : error
        }
        guard let bytes else {
            guard try !folder.names().contains(where: FileName.isEntry) else { throw StoreMarker.missing(path) }
            return nil
        }
        let marker = try StoreMarker(bytes: bytes, path: path)
        try marker.verify(keys, path: path)
        return marker
    }

    /// Returns the error for a caller that does not have the newest version.
    static func conflict(_ path: String) -> CredentialStoreError {
        CredentialStoreError(.conflict, detail: "the credential was changed meanwhile", path: path)
    }

    /// Opens the folder; `nil` if it does not exist, so the store is empty.
    private static func ifThere<Value>(
        _ path: String, _ body: (borrowing StoreFolder) throws(CredentialStoreError) -> Value
    ) throws(CredentialStoreError) -> Value? {
        guard StoreFolder.exists(path) else { return nil }
        return try body(try StoreFolder(path: path))
    }

    private static func locked<Value>(
        _ path: String, _ timeout: Duration, _ body: (borrowing StoreFolder) throws(CredentialStoreError) -> Value
    ) throws(CredentialStoreError) -> Value? {
        guard StoreFolder.exists(path) else { return nil }
        let lock = try FileLock.waiting(for: FileName.commitLock, in: path, timeout: timeout)
        defer { lock.release() }
        return try body(try StoreFolder(path: path))
    }
}
