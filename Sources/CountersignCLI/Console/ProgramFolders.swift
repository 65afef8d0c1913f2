import Foundation

/// The folders in which programs are found by name.
struct ProgramFolders: Sendable {
    private let paths: [String]

    /// - Parameter more: Folders after those of `PATH`.
    init(environment: [String: String] = ProcessInfo.processInfo.environment, and more: [String] = []) {
        paths = (environment["PATH"] ?? "").split(separator: ":").map(String.init) + more
    }

    /// Returns the first program with a name; `nil` if there is none.
    func find(_ name: String) -> URL? {
        paths.lazy.map { URL(filePath: $0).appending(path: name) }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
