internal import Countersign
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An exclusive lock on a file. The system releases it when the process ends in any way.
///
/// The lock is that of `flock(2)`. It belongs to the opened file, so it also excludes other stores of the same process.
struct FileLock: Sendable {
    private let file: Int32

    /// Tries to lock a file.
    ///
    /// - Returns: `nil` if it is already locked.
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
        // Between opening and locking, the folder may have been deleted and created again. Other processes would then lock
        // another file.
        guard folder.isCurrent(file, name) else {
            _ = close(file)
            return nil
        }
        return FileLock(file: file)
    }

    /// Locks a file, and blocks the thread until it is available.
    ///
    /// - Throws: An error with the code `lockTimedOut`, and the errors of ``attempt(_:in:)``.
    static func waiting(for name: String, in path: String, timeout: Duration) throws(CredentialStoreError) -> FileLock {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        var backoff = LockBackoff()
        while true {
            if let lock = try attempt(name, in: path) { return lock }
            guard ContinuousClock.now < deadline else { throw timedOut("\(path)/\(name)") }
            usleep(UInt32(backoff.next() / .microseconds(1)))
        }
    }

    /// Returns the error for a caller that has waited too long.
    static func timedOut(_ path: String) -> CredentialStoreError {
        CredentialStoreError(.lockTimedOut, detail: "another task or process holds the lock for too long", path: path)
    }

    /// Releases the lock.
    ///
    /// The file is unlocked before it is closed, because a child process that is being started also has the file open until it
    /// runs its program.
    func release() {
        _ = flock(file, LOCK_UN)
        _ = close(file)
    }
}

/// The pauses between attempts to lock, from one millisecond up to twenty.
struct LockBackoff {
    private var pause = Duration.milliseconds(1)

    /// Returns the next pause.
    mutating func next() -> Duration {
        defer { pause = min(pause * 2, .milliseconds(20)) }
        return pause
    }
}
