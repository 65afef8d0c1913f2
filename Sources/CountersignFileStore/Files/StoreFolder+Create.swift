internal import Countersign
internal import Foundation
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension StoreFolder {
    /// Whether there is anything at a path. A dangling link counts, because a folder cannot be created there.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 || errno != ENOENT
    }

    /// Creates a folder with access for this user only, and its parent folders, unless it exists.
    static func create(_ path: String) throws(CredentialStoreError) {
        guard !exists(path) else { return }
        let parent = (path as NSString).deletingLastPathComponent
        if !parent.isEmpty { try create(parent) }
        guard mkdir(path, 0o700) == 0 else {
            // Another process has created the folder. Its safety is checked when it is opened.
            if errno == EEXIST { return }
            throw SystemCall.error("the folder cannot be created", path, errno)
        }
        // The content of a folder is durable only if the folder's entry in its parent is.
        let descriptor = open(parent.isEmpty ? "." : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor != -1 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }
}
