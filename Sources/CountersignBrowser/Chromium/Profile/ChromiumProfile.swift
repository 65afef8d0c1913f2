#if os(macOS) || os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif
internal import Foundation

/// A folder for all files of a browser during one login, accessible only to the user.
///
/// It contains the profile, the browser's temporary files, and two files of this package: `lock`, which the program holds locked
/// until it exits in any way, and `browser`, which identifies the browser's process. By these, the next login recognizes
/// leftovers.
struct ChromiumProfile: Sendable {
    static let prefix = "countersign-chromium-"

    /// The path of the folder.
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
        // The file is renamed after it is locked, because another login treats a folder with an unlocked `lock` as a leftover.
        try SystemFailure.check { flock(lock, LOCK_EX | LOCK_NB) }
        try SystemFailure.check { rename("\(path)/unlocked", "\(path)/lock") }
        for folder in [path + "/profile", path + "/profile/Default", temporary, cache, crashes] {
            try SystemFailure.check { mkdir(folder, 0o700) }
        }
        try Self.put(Self.preferences, at: "\(path)/profile/Default/Preferences")
    }

    /// The browser's preferences, which disable the offers to save passwords, since the profile is deleted, and to translate
    /// pages.
    private static let preferences =
        #"{"credentials_enable_service":false,"profile":{"password_manager_enabled":false},"translate":{"enabled":false}}"#

    /// The browser's profile.
    var userData: String { path + "/profile" }
    /// The folder for the browser's temporary files. Its name is short, because the path of a socket in it is limited.
    var temporary: String { path + "/tmp" }
    var cache: String { path + "/cache" }
    /// The folder for crash dumps, which may contain data of pages.
    var crashes: String { path + "/crashes" }

    /// Saves the identity of the browser's process.
    func note(_ browser: ProcessStamp) throws(SystemFailure) { try Self.put(browser.text, at: "\(path)/browser") }

    /// Deletes the folder. The browser must have exited.
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

    /// Removes a folder with its content. It tries repeatedly, because killed processes may still write while they exit.
    static func remove(_ path: String) {
        for _ in 0..<5 {
            try? FileManager.default.removeItem(atPath: path)
            guard FileManager.default.fileExists(atPath: path) else { return }
            usleep(20_000)
        }
    }
}
#endif
