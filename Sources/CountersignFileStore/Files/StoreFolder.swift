internal import Countersign
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An open folder, known to be safe, and what is done to the files in it.
///
/// Files are reached through the open folder, so that the folder cannot be replaced between two steps. It is opened anew for
/// every operation: a folder that was deleted and made again is not written into under its old identity.
struct StoreFolder: ~Copyable {
    /// What a file's replacement consists of; a test can let each fail.
    enum Step: CaseIterable, Sendable { case create, write, synchronize, rename, synchronizeFolder }

    let path: String
    private let descriptor: Int32

    /// Opens a folder.
    ///
    /// - Throws: with the code `unsafe` if it is a link, belongs to another user or may be written by others; `unavailable` if it
    ///   is not there.
    init(path: String) throws(CredentialStoreError) {
        descriptor = try Self.openSafe(path)
        self.path = path
    }

    deinit { _ = close(descriptor) }

    /// The path of a file, for errors.
    func path(of name: String) -> String { "\(path)/\(name)" }

    // MARK: Reading

    /// The bytes of a file, or `nil` if it is not there.
    func read(_ name: String, limit: Int) throws(CredentialStoreError) -> [UInt8]? {
        let path = self.path(of: name)
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        if file == -1, errno == ENOENT { return nil }
        guard file != -1 else { throw SystemCall.error("the file cannot be opened", path, errno) }
        defer { _ = close(file) }
        try Self.verifyFile(file, path)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = try SystemCall.check("the file cannot be read", path) {
                SystemCall.read(file, &chunk)
            }
            if count == 0 { return bytes }
            bytes += chunk.prefix(count)
            guard bytes.count <= limit else {
                throw CredentialStoreError(.foreign, detail: "the file is larger than any of this store's", path: path)
            }
        }
    }

    /// The names of all files.
    func names() throws(CredentialStoreError) -> [String] {
        // The stream gets a descriptor of its own, because closing it closes that.
        let copy = try SystemCall.check("the folder cannot be listed", path) {
            openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard let stream = fdopendir(copy) else {
            let number = errno
            _ = close(copy)
            throw SystemCall.error("the folder cannot be listed", path, number)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno == 0 { return names }
                throw SystemCall.error("the folder cannot be listed", path, errno)
            }
            // In place: an entry is only as long as its name, and a copy of the whole field would read beyond it.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            names.append(name)
        }
    }

    // MARK: Changing

    /// Puts a file in the place of the one with its name: after a failure or a crash, at whatever step, there is the old one or the new
    /// one, whole.
    ///
    /// The caller holds the folder's lock, so a temporary file that is there is one that a crash left behind.
    func replace(
        _ name: String, with bytes: [UInt8], before: (Step) throws(CredentialStoreError) -> Void
    ) throws(CredentialStoreError) {
        let temporary = FileName.temporary
        try remove(temporary)
        do throws(CredentialStoreError) {
            try before(.create)
            let file = try SystemCall.check("the file cannot be made", path(of: name)) {
                openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            defer { _ = close(file) }
            try before(.write)
            try Self.write(bytes, to: file, path(of: name))
            try before(.synchronize)
            try Self.synchronize(file, path(of: name))
            try before(.rename)
            _ = try SystemCall.check("the file cannot be put in its place", path(of: name)) {
                renameat(descriptor, temporary, descriptor, name)
            }
        } catch {
            // What failed first is what is thrown.
            try? remove(temporary)
            throw error
        }
        try before(.synchronizeFolder)
        try synchronize()
    }

    /// Deletes a file, if it is there.
    func remove(_ name: String) throws(CredentialStoreError) {
        guard unlinkat(descriptor, name, 0) == -1, errno != ENOENT else { return }
        throw SystemCall.error("the file cannot be deleted", path(of: name), errno)
    }

    /// Makes deletions and replacements last.
    func synchronize() throws(CredentialStoreError) { try Self.synchronize(descriptor, path) }

    // MARK: Locking

    /// Opens a file to lock, and makes it if it is not there.
    func openLockFile(_ name: String) throws(CredentialStoreError) -> Int32 {
        let path = self.path(of: name)
        let file = try SystemCall.check("the lock cannot be opened", path) {
            openat(descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        }
        do throws(CredentialStoreError) {
            try Self.verifyFile(file, path)
            return file
        } catch {
            _ = close(file)
            throw error
        }
    }

    /// Whether an open file is still the one that has this name in the folder.
    func isCurrent(_ file: Int32, _ name: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(file, &opened) == 0 && fstatat(descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }
}

extension StoreFolder {
    private static func openSafe(_ path: String) throws(CredentialStoreError) -> Int32 {
        // The system does not say whether it was a link that it did not follow.
        var named = stat()
        if lstat(path, &named) == 0, named.st_mode & S_IFMT == S_IFLNK {
            throw CredentialStoreError(.unsafe, detail: "the folder is a link", path: path)
        }
        let descriptor = try SystemCall.check("the folder cannot be opened", path) {
            open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
        do throws(CredentialStoreError) {
            let status = try Self.status(of: descriptor, path)
            guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
                throw CredentialStoreError(.unsafe, detail: "the folder belongs to others, or others may write into it", path: path)
            }
            return descriptor
        } catch {
            _ = close(descriptor)
            throw error
        }
    }

    private static func status(of file: Int32, _ path: String) throws(CredentialStoreError) -> stat {
        var status = stat()
        _ = try SystemCall.check("the file's state cannot be read", path) { fstat(file, &status) }
        return status
    }

    /// Refuses files that another user could have put there.
    private static func verifyFile(_ file: Int32, _ path: String) throws(CredentialStoreError) {
        let status = try Self.status(of: file, path)
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CredentialStoreError(.foreign, detail: "this is no file", path: path)
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw CredentialStoreError(.unsafe, detail: "the file belongs to others, or others may write it", path: path)
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(CredentialStoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try SystemCall.check("the file cannot be written", path) {
                SystemCall.write(file, rest)
            }
            rest = rest.dropFirst(count)
        }
    }

    private static func synchronize(_ file: Int32, _ path: String) throws(CredentialStoreError) {
        #if canImport(Darwin)
        // There, fsync(2) leaves the bytes in the drive's cache; a file system that cannot do better says so.
        if fcntl(file, F_FULLFSYNC) != -1 { return }
        #endif
        _ = try SystemCall.check("the file cannot be made to last", path) { fsync(file) }
    }
}
