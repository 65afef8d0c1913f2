#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A spec file in memory, under the path that messages show.
package struct SpecFile: Sendable {
    package let path: String
    package let bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The part of the path after the last slash.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The name without its extension; it names the generated file.
    package var stem: String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name }

    /// Whether the file is that of a landscape. Case is ignored, since some file systems ignore it.
    package var isLandscape: Bool { stem.lowercased() == "landscape" }
}

extension SpecFile {
    /// Reads a file. If that fails, returns a diagnostic at its first character.
    package static func load(path: String) -> (file: SpecFile?, diagnostic: Diagnostic?) {
        do {
            return (SpecFile(path: path, bytes: Array(try Data(contentsOf: URL(filePath: path)))), nil)
        } catch {
            return (nil, unreadable(path: path))
        }
    }

    /// The diagnostic of a file that cannot be read.
    package static func unreadable(path: String) -> Diagnostic {
        Diagnostic(.unreadableFile, "the file cannot be read", at: SourceLocation(file: path, line: 1, column: 1))
    }
}
