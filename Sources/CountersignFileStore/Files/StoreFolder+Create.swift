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
    /// Whether there is anything at a path: a link that leads nowhere counts, because a folder cannot be made there.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 || errno != ENOENT
    }

    /// Makes a folder that only this user may enter, and those that it is to lie in, unless there is one.
    static func create(_ path: String) throws(CredentialStoreError) {
        guard !exists(path) else { return }
        let parent = (path as NSString).deletingLastPathComponent
        if !parent.isEmpty { try create(parent) }
        guard mkdir(path, 0o700) == 0 else {
            // Another process was faster; whether its folder is safe is seen when it is opened.
            if errno == EEXIST { return }
            throw SystemCall.error("the folder cannot be made", path, errno)
        }
        // What lies in a folder lasts only if the folder's own name does.
        let descriptor = open(parent.isEmpty ? "." : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor != -1 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }
}
