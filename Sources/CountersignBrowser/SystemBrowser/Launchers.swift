#if os(macOS) || os(Linux)
internal import Foundation

/// The programs that may show a page, as the environment names them.
struct Launchers: Sendable {
    /// As they are named, in the order of the attempts.
    let names: [String]
    /// What the programs get. `xdg-open` reads `BROWSER` too, as command lines; here it has been read already, as files.
    let environment: [String: String]
    private let folders: [String]

    init(environment: [String: String]) {
        names = Self.split(environment["BROWSER"]) + [Self.standard]
        folders = Self.split(environment["PATH"])
        var environment = environment
        environment["BROWSER"] = nil
        self.environment = environment
    }

    /// Whether one of those is there that the user names.
    var hasNamedProgram: Bool { names.dropLast().contains { path(of: $0) != nil } }

    /// The paths of those that are there.
    func programs() -> [String] { names.compactMap(path) }

    private func path(of name: String) -> String? {
        guard !name.hasPrefix("/") else { return Self.isProgram(name) ? name : nil }
        // A path that is relative to wherever the process stands may be anything.
        guard !name.contains("/") else { return nil }
        return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: Self.isProgram)
    }

    private static func isProgram(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            && FileManager.default.isExecutableFile(atPath: path)
    }

    private static func split(_ list: String?) -> [String] {
        (list ?? "").split(separator: ":").map(String.init)
    }

    #if os(macOS)
    private static let standard = "/usr/bin/open"
    #else
    private static let standard = "xdg-open"
    #endif
}
#endif
