import Foundation
import TestTurns
import Testing

/// Which words stand where: what is for every landscape names no vendor, and nothing names papers that a reader cannot open.
@Suite(.takesTurns) struct `Wording` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The files below a folder of the package that hold code, documentation or templates, by their paths in it.
    private static func texts(in folder: String) throws -> [(path: String, text: String)] {
        let url = root.appending(path: folder)
        let files = try #require(FileManager.default.enumerator(atPath: url.path(percentEncoded: false)))
        return try files.compactMap { $0 as? String }.filter { path in
            [".swift", ".md", ".stencil", ".yaml"].contains { path.hasSuffix($0) }
        }.sorted().map { path in
            ("\(folder)/\(path)", try String(contentsOf: url.appending(path: path), encoding: .utf8))
        }
    }

    /// Where one of some texts stands.
    private static func places(of words: [String], in folders: [String]) throws -> [String] {
        try folders.flatMap { try texts(in: $0) }.flatMap { path, text in
            // The letters of a vendor's name stand in that of an interface, too.
            let text = text.replacing("GSSAPI", with: "")
            guard words.contains(where: { text.contains($0) }) else { return [String]() }
            return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                .filter { line in words.contains { line.element.contains($0) } }.map { "\(path):\($0 + 1): \($1)" }
        }
    }

    /// The modules whose code, messages and documentation name no vendor.
    private static let general = [
        "Sources/Countersign", "Sources/CountersignSpec", "Sources/CountersignGenerator", "Sources/CountersignIdentity",
        "Sources/CountersignFileStore", "Sources/CountersignBrowser", "Sources/CountersignAsyncHTTPClient",
        "Sources/CountersignFoundation", "Sources/CountersignWebKit", "Sources/CountersignTesting", "Sources/countersign-generator",
        "Templates", "Plugins",
    ]

    @Test func `what is for every landscape names no vendor`() throws {
        let vendor = ["SAP", "sapURL", "sapcpms", "xsuaa", "Xsuaa", "XSUAA", "obileServices", "obile Services", " BTP", "com.sap."]
        let found = try Self.places(of: vendor, in: Self.general)
        #expect(found == [])
        // That it finds what it looks for.
        #expect(try !Self.places(of: vendor, in: ["Sources/CountersignSAP"]).isEmpty)
    }

    @Test func `nothing names papers that a reader cannot open`() throws {
        let paper = ["RT-", "he seeds", "review-security"] + (0...4).flatMap { ["(S\($0))", "(S\($0),"] }
        let found = try Self.places(of: paper, in: ["Sources", "Specs", "Templates", "Plugins"])
        #expect(found == [])
        // The names of tests, in a folder without these words themselves.
        #expect(try !Self.places(of: paper, in: ["Tests/CountersignTests"]).isEmpty)
    }
}
