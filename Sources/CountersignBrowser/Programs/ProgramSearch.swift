#if os(macOS) || os(Linux)
internal import Foundation

/// Finds programs by name in the folders of `PATH`.
struct ProgramSearch: Sendable {
    private let folders: [String]

    init(environment: [String: String]) {
        folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    }

    /// Returns the path of an executable program; `nil` if there is none, or if the name is a relative path.
    func path(of name: String) -> String? {
        guard !name.hasPrefix("/") else { return Self.isProgram(name) ? name : nil }
        guard !name.contains("/") else { return nil }
        return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: Self.isProgram)
    }

    private static func isProgram(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            && FileManager.default.isExecutableFile(atPath: path)
    }
}
#endif
