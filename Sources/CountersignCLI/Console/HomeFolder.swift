import Foundation

/// The user's home folder, as a shell knows it: `HOME`, and without it the folder in the system's list of users.
///
/// Foundation ignores `HOME`, which containers, sandboxes and tests set.
enum HomeFolder {
    static func url(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        guard let path = environment["HOME"], path.hasPrefix("/") else { return FileManager.default.homeDirectoryForCurrentUser }
        return URL(filePath: path, directoryHint: .isDirectory)
    }

    /// Returns a path in which `~` at the beginning is replaced by the folder, and `~name` by that of another user.
    static func expanding(
        _ path: String, _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        guard path == "~" || path.hasPrefix("~/") else { return NSString(string: path).expandingTildeInPath }
        return url(environment).appending(path: String(path.dropFirst(2))).path(percentEncoded: false)
    }
}
