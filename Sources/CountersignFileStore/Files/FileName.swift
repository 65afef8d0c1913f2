/// The names of the files in a store's folder.
enum FileName {
    /// Which key the store has.
    static let marker = "store"
    /// Locked for as long as something is changed; never longer.
    static let commitLock = "commit.lock"
    /// Locked while a key is made.
    static let keyLock = "key.lock"
    /// A file that is being written.
    static let temporary = "writing"

    private static let entrySuffix = ".credential"

    /// The file of a credential.
    static func entry(_ name: String) -> String { name + entrySuffix }
    /// The file that is locked while the lock of a credential is held. It is empty, and never deleted: a lock on a file that is
    /// gone excludes no other holder.
    static func lock(_ name: String) -> String { name + ".lock" }
    /// Whether a file is a credential's.
    static func isEntry(_ name: String) -> Bool {
        name.hasSuffix(entrySuffix) && name.utf8.count == 64 + entrySuffix.utf8.count
            && name.dropLast(entrySuffix.count).allSatisfy { "0123456789abcdef".contains($0) }
    }
}
