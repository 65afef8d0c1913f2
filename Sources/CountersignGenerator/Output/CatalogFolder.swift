package import Foundation

/// A DocC catalog, with pages that are generated and others that are written by hand.
package struct CatalogFolder: Sendable {
    private let url: URL

    /// Creates a reference to a catalog. The folder is created when the first page is written.
    package init(_ url: URL) { self.url = url }

    /// Returns the sorted names of the hand-written articles, without `.md`. The root page of a module is not among them.
    ///
    /// - Throws: An error of the file system.
    package func articles() throws -> [String] {
        try paths().filter { $0.hasSuffix(".md") }.compactMap { path in
            let text = try String(contentsOf: url.appending(path: path), encoding: .utf8)
            guard !LandscapePages.isGenerated(text), !Self.isRoot(text) else { return nil }
            return path.split(separator: "/").last.map { String($0.dropLast(3)) }
        }.sorted()
    }

    /// Writes the pages that differ from the existing files, and removes generated pages that are no longer in the list.
    ///
    /// - Parameter isWriting: `false` to change nothing.
    /// - Returns: The paths of the pages that differ.
    /// - Throws: ``WriteFailure``; ``HandWrittenPage`` if a page would replace a hand-written one.
    package func update(_ pages: [GeneratedFile], writing isWriting: Bool) throws -> [String] {
        var changed: [GeneratedFile] = []
        for page in pages {
            let old = try? String(contentsOf: url.appending(path: page.name), encoding: .utf8)
            if let old, !LandscapePages.isGenerated(old) {
                throw HandWrittenPage(path: url.appending(path: page.name).path(percentEncoded: false))
            }
            if old != page.text { changed.append(page) }
        }
        let names = Set(pages.map(\.name))
        let gone = try paths().filter { path in
            guard !names.contains(path), path.hasSuffix(".md") || path.hasSuffix(".svg") else { return false }
            return LandscapePages.isGenerated(try String(contentsOf: url.appending(path: path), encoding: .utf8))
        }
        if isWriting {
            for (folder, pages) in Dictionary(grouping: changed, by: { Self.folder(of: $0.name) }) {
                try OutputFolder(url.appending(path: folder, directoryHint: .isDirectory)).write(
                    pages.map { GeneratedFile(name: String($0.name.dropFirst(folder.count)), text: $0.text) })
            }
            for path in gone { try FileManager.default.removeItem(at: url.appending(path: path)) }
        }
        return (changed.map(\.name) + gone).sorted().map { url.appending(path: $0).path(percentEncoded: false) }
    }

    /// Returns the paths of the catalog's files, relative to the catalog.
    private func paths() throws -> [String] {
        guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: url.path(percentEncoded: false)).sorted()
    }

    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    /// Whether a page documents a symbol, as a module's root page does.
    private static func isRoot(_ text: String) -> Bool {
        text.split(separator: "\n").first { $0.hasPrefix("# ") }?.hasPrefix("# ``") == true
    }
}

/// An error for a hand-written page that has the name of a generated one.
package struct HandWrittenPage: Error, CustomStringConvertible {
    /// The file.
    package let path: String

    package var description: String {
        "\(path): error: this page was written by hand, but a page of the same name is generated; rename it"
    }
}
