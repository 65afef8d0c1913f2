package import Foundation

/// A DocC catalog, with pages that are generated and others that are written by hand.
package struct CatalogFolder: Sendable {
    private let url: URL

    /// Names a catalog; it is made when the first page is written.
    package init(_ url: URL) { self.url = url }

    /// The names of the articles that are written by hand, without `.md`, sorted. The root page of a module is none.
    ///
    /// - Throws: An error of the file system.
    package func articles() throws -> [String] {
        try paths().filter { $0.hasSuffix(".md") }.compactMap { path in
            let text = try String(contentsOf: url.appending(path: path), encoding: .utf8)
            guard !LandscapePages.isGenerated(text), !Self.isRoot(text) else { return nil }
            return path.split(separator: "/").last.map { String($0.dropLast(3)) }
        }.sorted()
    }

    /// Writes the pages that differ from what is there, and removes those that were generated and are gone.
    ///
    /// - Parameter isWriting: `false` to change nothing.
    /// - Returns: The paths of what differs.
    /// - Throws: ``WriteFailure``; ``HandWrittenPage`` for a page that would replace one that is written by hand.
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

    /// The files of the catalog, by paths in it.
    private func paths() throws -> [String] {
        guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: url.path(percentEncoded: false)).sorted()
    }

    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    /// Whether a page is that of a symbol.
    private static func isRoot(_ text: String) -> Bool {
        text.split(separator: "\n").first { $0.hasPrefix("# ") }?.hasPrefix("# ``") == true
    }
}

/// A page that is written by hand and has the name of one that is generated.
package struct HandWrittenPage: Error, CustomStringConvertible {
    /// The file.
    package let path: String

    package var description: String {
        "\(path): error: this page is written by hand, and one of its name is generated; make an article of another name of it"
    }
}
