internal import Countersign
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file that this holder alone has locked: the system gives it free when the process ends, however it ends.
///
/// The lock is `flock(2)`'s. It belongs to the opened file, so it also keeps two stores of one process apart.
struct FileLock: Sendable {
    private let file: Int32

    /// Locks a file, unless it is locked already.
    ///
    /// - Returns: `nil` if it is locked already.
    static func attempt(_ name: String, in path: String) throws(CredentialStoreError) -> FileLock? {
        let folder = try StoreFolder(path: path)
        let file = try folder.openLockFile(name)
        do throws(CredentialStoreError) {
            _ = try SystemCall.check("the file cannot be locked", folder.path(of: name)) { flock(file, LOCK_EX | LOCK_NB) }
        } catch {
            _ = close(file)
            if error.systemError == EWOULDBLOCK { return nil }
            throw error
        }
        // Between opening and locking the whole folder may have been deleted and made again; then others lock another file.
        guard folder.isCurrent(file, name) else {
            _ = close(file)
            return nil
        }
        return FileLock(file: file)
    }

    /// Locks a file, and blocks the thread until it can.
    ///
    /// - Throws: with the code `lockTimedOut`, and what ``attempt(_:in:)`` throws.
    static func waiting(for name: String, in path: String, timeout: Duration) throws(CredentialStoreError) -> FileLock {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        var backoff = LockBackoff()
        while true {
            if let lock = try attempt(name, in: path) { return lock }
            guard ContinuousClock.now < deadline else { throw timedOut("\(path)/\(name)") }
            usleep(UInt32(backoff.next() / .microseconds(1)))
        }
    }

    /// The error of a caller that has waited too long.
    static func timedOut(_ path: String) -> CredentialStoreError {
        CredentialStoreError(.lockTimedOut, detail: "another task or process holds the lock for too long", path: path)
    }

    /// Gives the lock free.
    ///
    /// Unlocking comes before closing: a child process that is being started has the open file too, until it runs its program.
    func release() {
        _ = flock(file, LOCK_UN)
        _ = close(file)
    }
}

/// How long to pause before a lock is tried again: a millisecond at first, and never more than twenty.
struct LockBackoff {
    private var pause = Duration.milliseconds(1)

    /// The next pause.
    mutating func next() -> Duration {
        defer { pause = min(pause * 2, .milliseconds(20)) }
        return pause
    }
}
