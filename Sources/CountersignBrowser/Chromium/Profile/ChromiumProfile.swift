#if os(macOS) || os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif
internal import Foundation

/// A folder for all that a browser writes during one login. Only its user may enter it.
///
/// It holds the profile and the browser's temporary files, and two files of this package's own: `lock`, which the program has locked for as long as
/// it runs, however it ends, and `browser`, which says which process the browser is. From them the next login sees what was left behind.
struct ChromiumProfile: Sendable {
    static let prefix = "countersign-chromium-"

    /// Its path.
    let path: String
    private let lock: Int32

    /// Creates a folder that no other user may enter.
    ///
    /// - Parameter base: The folder for temporary files.
    /// - Throws: ``SystemFailure``.
    init(in base: String) throws(SystemFailure) {
        var template = Array("\(base)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemFailure(code: errno) }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.path = path
        do throws(SystemFailure) {
            lock = try SystemFailure.check { open("\(path)/unlocked", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        } catch {
            Self.remove(path)
            throw error
        }
        do throws(SystemFailure) {
            try prepare()
        } catch {
            delete()
            throw error
        }
    }

    private func prepare() throws(SystemFailure) {
        // The file gets its name when it is locked: another login takes a folder whose `lock` it can lock for one that was left behind.
        try SystemFailure.check { flock(lock, LOCK_EX | LOCK_NB) }
        try SystemFailure.check { rename("\(path)/unlocked", "\(path)/lock") }
        for folder in [path + "/profile", path + "/profile/Default", temporary, cache, crashes] {
            try SystemFailure.check { mkdir(folder, 0o700) }
        }
        try Self.put(Self.preferences, at: "\(path)/profile/Default/Preferences")
    }

    /// Passwords are not kept in a profile that is deleted, so the browser does not offer to; nor does it offer to translate.
    private static let preferences =
        #"{"credentials_enable_service":false,"profile":{"password_manager_enabled":false},"translate":{"enabled":false}}"#

    /// The browser's profile.
    var userData: String { path + "/profile" }
    /// For the browser's temporary files, a socket among them, so its name is short.
    var temporary: String { path + "/tmp" }
    var cache: String { path + "/cache" }
    /// For what is saved of a crash, which may hold what a page held.
    var crashes: String { path + "/crashes" }

    /// Writes down which process the browser is.
    func note(_ browser: ProcessStamp) throws(SystemFailure) { try Self.put(browser.text, at: "\(path)/browser") }

    /// Deletes the folder, once the browser has ended.
    func delete() {
        Self.remove(path)
        flock(lock, LOCK_UN)
        close(lock)
    }

    private static func put(_ text: String, at path: String) throws(SystemFailure) {
        let file = try SystemFailure.check { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        let count = write(file, bytes, bytes.count)
        guard count == bytes.count else { throw SystemFailure(code: count == -1 ? errno : ENOSPC) }
    }

    /// Removes a folder with all that is in it. Processes that were killed may write while they end, so it is tried more than once.
    static func remove(_ path: String) {
        for _ in 0..<5 {
            try? FileManager.default.removeItem(atPath: path)
            guard FileManager.default.fileExists(atPath: path) else { return }
            usleep(20_000)
        }
    }
}
#endif
