#if os(macOS) || os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif
internal import Foundation

extension ChromiumProfile {
    /// Kills the browsers and deletes the folders of programs that exited without doing so, for example because they were killed.
    ///
    /// A browser exits when its program does, unless it hangs.
    ///
    /// - Parameter base: The folder for temporary files. Folders of other users are ignored.
    static func removeLeftovers(in base: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
        for name in names where name.hasPrefix(prefix) { removeLeftover("\(base)/\(name)") }
    }

    private static func removeLeftover(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { return }
        let lock = open("\(path)/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard lock != -1 else {
            // A folder without the file is still being created, unless it is older than a minute.
            if errno == ENOENT, age(of: status) > 60 { remove(path) }
            return
        }
        defer { close(lock) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return }
        if let text = try? String(contentsOfFile: "\(path)/browser", encoding: .utf8), let browser = ProcessStamp(text),
            browser.isRunning
        {
            SpawnedProcess.kill(group: browser.identifier)
        }
        remove(path)
    }

    private static func age(of status: stat) -> Double {
        #if canImport(Darwin)
        Date().timeIntervalSince1970 - Double(status.st_mtimespec.tv_sec)
        #else
        Date().timeIntervalSince1970 - Double(status.st_mtim.tv_sec)
        #endif
    }
}
#endif
