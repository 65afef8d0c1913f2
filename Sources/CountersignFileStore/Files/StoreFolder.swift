internal import Countersign
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An open folder that was checked to be safe, with operations on its files.
///
/// Files are accessed through the open folder, so that the folder cannot be replaced between two steps. It is opened anew for
/// every operation, so that nothing is written to a folder that was deleted and created again.
struct StoreFolder: ~Copyable {
    /// The steps of replacing a file. Tests can make each of them fail.
    enum Step: CaseIterable, Sendable { case create, write, synchronize, rename, synchronizeFolder }

    let path: String
    private let descriptor: Int32

    /// Opens a folder.
    ///
    /// - Throws: An error with the code `unsafe` if it is a link, belongs to another user or is writable by others; `unavailable`
    ///   if it does not exist.
    init(path: String) throws(CredentialStoreError) {
        descriptor = try Self.openSafe(path)
        self.path = path
    }

    deinit { _ = close(descriptor) }

    /// Returns the path of a file, for errors.
    func path(of name: String) -> String { "\(path)/\(name)" }

    // MARK: Reading

    /// Returns the bytes of a file; `nil` if it does not exist.
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
                throw CredentialStoreError(.foreign, detail: "the file is too large for a file of this store", path: path)
            }
        }
    }

    /// Returns the names of all files.
    func names() throws(CredentialStoreError) -> [String] {
        // The stream has a separate descriptor, because closing the stream closes its descriptor.
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
            // The name is read in place, because an entry is only as long as its name, and copying the whole field would read
            // beyond it.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            names.append(name)
        }
    }

    // MARK: Changing

    /// Replaces a file atomically: after a failure or crash at any step, either the old or the new file exists completely.
    ///
    /// The caller holds the folder's lock, so an existing temporary file was left by a crash.
    func replace(
        _ name: String, with bytes: [UInt8], before: (Step) throws(CredentialStoreError) -> Void
    ) throws(CredentialStoreError) {
        let temporary = FileName.temporary
        try remove(temporary)
        do throws(CredentialStoreError) {
            try before(.create)
            let file = try SystemCall.check("the file cannot be created", path(of: name)) {
                openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            defer { _ = close(file) }
            try before(.write)
            try Self.write(bytes, to: file, path(of: name))
            try before(.synchronize)
            try Self.synchronize(file, path(of: name))
            try before(.rename)
            _ = try SystemCall.check("the file cannot be renamed or linked to its final name", path(of: name)) {
                renameat(descriptor, temporary, descriptor, name)
            }
        } catch {
            // An error of the cleanup is ignored in favour of the first one.
            try? remove(temporary)
            throw error
        }
        try before(.synchronizeFolder)
        try synchronize()
    }

    /// Deletes a file if it exists.
    func remove(_ name: String) throws(CredentialStoreError) {
        guard unlinkat(descriptor, name, 0) == -1, errno != ENOENT else { return }
        throw SystemCall.error("the file cannot be deleted", path(of: name), errno)
    }

    /// Makes deletions and replacements durable.
    func synchronize() throws(CredentialStoreError) { try Self.synchronize(descriptor, path) }

    // MARK: Locking

    /// Opens a file for locking, and creates it if it does not exist.
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

    /// Whether an open file is still the one with this name in the folder.
    func isCurrent(_ file: Int32, _ name: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(file, &opened) == 0 && fstatat(descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }
}

extension StoreFolder {
    private static func openSafe(_ path: String) throws(CredentialStoreError) -> Int32 {
        // The link is checked separately, because the error of `open` does not distinguish it.
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

    /// Throws for files that another user could have created or changed.
    private static func verifyFile(_ file: Int32, _ path: String) throws(CredentialStoreError) {
        let status = try Self.status(of: file, path)
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CredentialStoreError(.foreign, detail: "this is not a regular file", path: path)
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
        // On Darwin, fsync(2) leaves the bytes in the drive's cache. The call fails on file systems that do not support a full
        // sync.
        if fcntl(file, F_FULLFSYNC) != -1 { return }
        #endif
        _ = try SystemCall.check("the file cannot be flushed to the disk", path) { fsync(file) }
    }
}
