/// The names of the files in a store's folder.
enum FileName {
    /// The marker, which identifies the store's key.
    static let marker = "store"
    /// The file that is locked during each change, and only then.
    static let commitLock = "commit.lock"
    /// The file that is locked while a key is created.
    static let keyLock = "key.lock"
    /// A file that is being written, before it is renamed.
    static let temporary = "writing"

    private static let entrySuffix = ".credential"

    /// Returns the name of a credential's file.
    static func entry(_ name: String) -> String { name + entrySuffix }
    /// Returns the name of the file that is locked while the lock of a credential is held. The file is empty and never deleted,
    /// since a lock on a deleted file excludes no other process.
    static func lock(_ name: String) -> String { name + ".lock" }
    /// Whether a file belongs to a credential.
    static func isEntry(_ name: String) -> Bool {
        name.hasSuffix(entrySuffix) && name.utf8.count == 64 + entrySuffix.utf8.count
            && name.dropLast(entrySuffix.count).allSatisfy { "0123456789abcdef".contains($0) }
    }
}
