import Foundation
import TestTurns
import Testing

/// The wording of the package: files for all landscapes name no vendor, no file names documents that a reader cannot open, and
/// documentation uses the field's terms.
@Suite(.takesTurns) struct `Wording` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Returns the files in a folder of the package that contain code, documentation or templates, by their paths in it.
    private static func texts(in folder: String) throws -> [(path: String, text: String)] {
        let url = root.appending(path: folder)
        let files = try #require(FileManager.default.enumerator(atPath: url.path(percentEncoded: false)))
        return try files.compactMap { $0 as? String }.filter { path in
            [".swift", ".md", ".stencil", ".yaml"].contains { path.hasSuffix($0) }
        }.sorted().map { path in
            ("\(folder)/\(path)", try String(contentsOf: url.appending(path: path), encoding: .utf8))
        }
    }

    /// Returns the places where one of some texts occurs.
    private static func places(of words: [String], in folders: [String]) throws -> [String] {
        try folders.flatMap { try texts(in: $0) }.flatMap { path, text in
            // The name of an interface contains the letters of a vendor's name.
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
        "Sources/CountersignCookies", "Sources/CountersignFoundation", "Sources/CountersignURLSession",
        "Sources/CountersignWebKit", "Sources/CountersignTesting", "Sources/countersign-generator", "Templates", "Plugins",
    ]

    @Test func `what is for every landscape names no vendor`() throws {
        let vendor = ["SAP", "sapURL", "sapcpms", "xsuaa", "Xsuaa", "XSUAA", "obileServices", "obile Services", " BTP", "com.sap."]
        let found = try Self.places(of: vendor, in: Self.general)
        #expect(found == [])
        // Checks the search itself.
        #expect(try !Self.places(of: vendor, in: ["Sources/CountersignSAP"]).isEmpty)
    }

    @Test func `generic code names no product`() throws {
        let products = ["Auth0", "Azure", "Entra", "GitHub", "GitLab", "Keycloak", "Keystone", "Okta", "Synapse", "Transmission"]
        // Articles compare with products, and a mock server is named for its product.
        let found = try Self.places(of: products, in: Self.general + ["Sources/CountersignDynamic"]).filter { place in
            !place.contains(".md:") && !place.hasPrefix("Sources/CountersignTesting/Servers/Mock")
        }
        #expect(found == [])
        // Checks the search itself.
        #expect(try !Self.places(of: products, in: ["Sources/CountersignTesting"]).isEmpty)
    }

    /// Dialect, and the relative clauses and vague pronouns that once stood for a field's terms.
    private static let dialect = [
        "(is|are|was|were) told", "[Ww]hoever", "ha(s|ve) to say", "hands? out", "handed out", "(the|a) person", "proves? itself",
        "of the like", "(is|are) good for", "as good as", "last word", "without a word", "in vain", "(runs|run|ran) out",
        "(wants?|needs?) to know", "g(ave|ives?) up", "comes? of", "makes of", "for ever", "lets go", "(has|have|was|is|are) got",
        "tells of",
        "sa(ys|id) of", "no particular thread", "for want of", "loaded anew", "is there already", "goes on with", "takes? it over",
        "take over what", "mend(s|ed)?",
    ]

    private static func search(for patterns: [String]) throws -> NSRegularExpression {
        try NSRegularExpression(pattern: #"\b(\#(patterns.joined(separator: "|")))\b"#)
    }

    /// Returns the first match in a text.
    private static func match(of expression: NSRegularExpression, in text: some StringProtocol) -> String? {
        let text = String(text)
        let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text))
        return match.flatMap { Range($0.range, in: text) }.map { String(text[$0]) }
    }

    @Test func `all comments are in the field's terms`() throws {
        let dialect = try Self.search(for: Self.dialect)
        // A summary is a noun phrase or begins with a verb.
        let clause = try NSRegularExpression(pattern: "^(What|Who|Whose|Whoever|Where|Those|Until when|How (long|many|often|far)) ")
        // Samples of another product's documents, and the files that quote what they look for.
        let quoting = ["Tests/SeedSample", "Tests/Goldens/", "Tests/PackageTests/WordingTests.swift", "Tests/AppleStubs/"]
        var found: [String] = []
        for (path, text) in try ["Sources", "Plugins", "Tests"].flatMap({ try Self.texts(in: $0) })
        where path.hasSuffix(".swift") && !path.contains("/.build/") && !quoting.contains(where: path.hasPrefix) {
            for comment in Self.allComments(in: text) {
                for words in [dialect, clause].compactMap({ Self.match(of: $0, in: comment.text) }) {
                    found.append("\(path):\(comment.line): \(words)")
                }
            }
        }
        #expect(found == [])
        // Checks the search itself.
        let comments = Self.allComments(
            in: "/// What a user\n/// is told of.\n@MainActor\nlet told: Bool  // is told\n// Once.\n//\n// Twice.")
        #expect(comments.map(\.text) == ["What a user is told of.", "Once. ", "Twice."])
        #expect(comments.map(\.line) == [1, 5, 7])
        #expect(Self.match(of: dialect, in: "It is told of each login.") == "is told")
        #expect(Self.match(of: clause, in: "What a user is told of.") == "What ")
    }

    /// The comments of a file that are on lines of their own: the line, and the text on one line.
    private static func allComments(in text: String) -> [(line: Int, text: String)] {
        var found: [(line: Int, text: String)] = []
        var isOpen = false
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let code = line.drop { $0 == " " }
            guard code.hasPrefix("//") else {
                isOpen = false
                continue
            }
            let words = code.drop { $0 == "/" }.drop { $0 == " " }
            if isOpen { found[found.count - 1].text += " \(words)" } else { found.append((number + 1, String(words))) }
            isOpen = !words.isEmpty
        }
        return found
    }

    @Test func `articles, specs and templates are in the field's terms`() throws {
        let dialect = try Self.search(for: Self.dialect)
        // This file quotes the documents of another product.
        let quoting = ["Specs/SAPMobileServices/SAPMobileServices.docc/SamplesOfTheSDK.md"]
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let all = try ["Specs", "Sources", "Templates"].flatMap { try Self.texts(in: $0) } + [("README.md", readme)]
        var found: [String] = []
        for (path, text) in all where !path.hasSuffix(".swift") && !quoting.contains(path) {
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                // A comment in a spec is for its editors.
                let line = path.hasSuffix(".yaml") ? line.prefix { $0 != "#" } : line
                if let words = Self.match(of: dialect, in: line) { found.append("\(path):\(number + 1): \(words)") }
            }
        }
        #expect(found == [])
    }

    @Test func `names of tests are in the field's terms`() throws {
        let dialect = try Self.search(for: Self.dialect + ["^who(ever)?"])
        // These are packages of their own, with their build results.
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "Tests").path(percentEncoded: false)
        ).filter { !["Adopters", "Performance"].contains($0) }.sorted()
        var names: [String] = []
        for (_, text) in try folders.flatMap({ try Self.texts(in: "Tests/\($0)") }) {
            names += text.matches(of: #/func `([^`]+)`/#).map { String($0.1) }
        }
        #expect(names.filter { Self.match(of: dialect, in: $0) != nil } == [])
        #expect(names.contains("names of tests are in the field's terms"))
        #expect(Self.match(of: dialect, in: "who logs out is told") != nil)
    }

    @Test func `nothing names papers that a reader cannot open`() throws {
        let paper = ["RT-", "he seeds", "review-security"] + (0...4).flatMap { ["(S\($0))", "(S\($0),"] }
        // The guide says in which file its rows are, and a test looks for them there.
        let guide = "Sources/Countersign/Countersign.docc/Guides/SecurityAndThreatModel.md"
        let found = try Self.places(of: paper, in: ["Sources", "Specs", "Templates", "Plugins"]).filter { !$0.hasPrefix(guide) }
        #expect(found == [])
        // The names of tests contain these words, in a folder without this list.
        #expect(try !Self.places(of: paper, in: ["Tests/CountersignTests"]).isEmpty)
    }
}
