import Foundation
import TestTurns
import Testing

/// The code in the documentation is compiled: each block of Swift is a region of a file of this target, and each block of YAML is
/// a part of a spec that is built, or that `VendorSpecTests` in Tests/OpenLandscapesTests plays.
@Suite(.takesTurns) struct `Code in the documentation` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// README.md and the articles of every catalog.
    static let pages: [String] = {
        var pages = ["README.md"]
        for folder in ["Specs", "Sources"] {
            let base = root.appending(path: folder)
            let all = FileManager.default.enumerator(atPath: base.path(percentEncoded: false))
            while let path = all?.nextObject() as? String {
                if path.contains(".docc/"), path.hasSuffix(".md") { pages.append("\(folder)/\(path)") }
            }
        }
        return pages.sorted()
    }()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the blocks of a language in a page, without the indentation of the block.
    private static func blocks(of language: String, in page: String) throws -> [String] {
        var blocks: [String] = []
        var lines: [Substring]?
        for line in try text(page).split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.drop { $0 == " " }
            if trimmed == "```\(language)" {
                lines = []
            } else if trimmed.hasPrefix("```"), let block = lines {
                blocks.append(normal(block))
                lines = nil
            } else {
                lines?.append(line)
            }
        }
        return blocks
    }

    /// Returns the lines without common indentation, and without empty lines at the ends.
    private static func normal(_ lines: [Substring]) -> String {
        let depth = lines.filter { $0.contains { $0 != " " } }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(depth)) }.joined(separator: "\n").trimmingCharacters(in: .newlines)
    }

    /// Returns the regions between `// snippet: name` and `// end` in the files of this target, and in the applications for Apple
    /// systems, which `.ci/apple` type-checks.
    ///
    /// The trait `.takesTurns`, without which a test with sockets would run beside thousands of others, is not a part of them.
    private static func regions() throws -> Set<String> {
        var regions: Set<String> = []
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { $0.hasSuffix("Snippets.swift") }.map { "Tests/SnippetTests/\($0)" }
        for file in files + ["JournalApp", "OrdersApp"].map({ "Tests/AppleStubs/Samples/\($0).swift" }) {
            var lines: [Substring]?
            for line in try text(file).split(separator: "\n", omittingEmptySubsequences: false) {
                let trimmed = line.drop { $0 == " " }
                if trimmed.hasPrefix("// snippet:") {
                    lines = []
                } else if trimmed == "// end", let region = lines {
                    regions.insert(normal(region).replacing("@Test(.takesTurns) ", with: "@Test "))
                    lines = nil
                } else {
                    lines?.append(line)
                }
            }
        }
        return regions
    }

    /// Whether a block is part of the manifest of an adopter's package, which the gate builds with the current sources in place
    /// of a version of them, or part of its program.
    private static func isOfAdopter(_ block: String) throws -> Bool {
        func lines(_ text: String) -> String {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
        }
        let published = """
            .package(
            url: "https://github.com/OWNER/swift-countersign",
            from: "0.1.0", traits: [])
            """
        // An adopter has the traits of the published dependency, or the default ones.
        let blocks = [", traits: []", ""].map { traits in
            lines(block).replacing(published, with: #".package(name: "swift-countersign", path: "../../.."\#(traits))"#)
        }
        let adopters = root.appending(path: "Tests/Adopters")
        return try FileManager.default.contentsOfDirectory(atPath: adopters.path(percentEncoded: false)).contains { name in
            let paths = ["Package.swift", "Sources/parcels/main.swift", "Tests/ParcelAPITests/ParcelSessionTests.swift"]
            let files = paths.compactMap { try? text("Tests/Adopters/\(name)/\($0)") }
            return files.contains { file in blocks.contains { lines(file).contains($0) } }
        }
    }

    @Test(arguments: pages)
    func `every block of Swift is compiled`(page: String) throws {
        let regions = try Self.regions()
        #expect(!regions.isEmpty)
        for block in try Self.blocks(of: "swift", in: page) {
            #expect(
                try regions.contains(block) || Self.isOfAdopter(block) || Self.isGenerated(block),
                "in no snippet file and no adopter's manifest:\n\(block)")
        }
    }

    /// Whether a block is the code of a file that was generated with the pages of landscapes: its imports, and a function.
    private static func isGenerated(_ block: String) throws -> Bool {
        let parts = block.components(separatedBy: "\n\nfunc ")
        guard parts.count == 2 else { return false }
        let folder = root.appending(path: "Tests/SnippetTests/Landscapes")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).contains { name in
            let file = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let function = "func \(parts[1])".split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
            return file.contains("\(parts[0])\n\n") && file.contains("{\n\(function.joined(separator: "\n"))\n}\n")
        }
    }

    /// The pages of message codes, whose incorrect and corrected specs are read by `MessageExampleTests` in Tests/CountersignCLITests.
    private static let messages = "Sources/Countersign/Countersign.docc/Messages/"

    @Test(arguments: pages.filter { !$0.hasPrefix(messages) })
    func `every block of YAML stands in a spec`(page: String) throws {
        let specs =
            try [
                "Specs/SAPMobileServices/SAML.yaml", "Specs/SAPMobileServices/Basic.yaml",
                "Specs/SAPMobileServices/SAPcpmsUserIdentityDiscovery.yaml", "Specs/SAPMobileServices/landscape.yaml",
                "Tests/Adopters/ServiceProvider/Sources/MellonServiceProvider/landscape.yaml",
                "Tests/Adopters/AuthorizationServer/Sources/Canaille/landscape.yaml", "Tests/Specs/Schemes/Token.yaml",
                "Tests/Adopters/FromNothing/Sources/CityLibrary/landscape.yaml",
                "Tests/Adopters/FromNothing/Sources/CityLibrary/LibraryLogin.yaml", "Specs/Transmission/TransmissionSession.yaml",
                "Specs/OAuth/AuthorizationCode.yaml", "Specs/Auth0/landscape.yaml",
                "Tests/Adopters/FirstLandscape/Sources/ParcelAPI/landscape.yaml",
                "Tests/Adopters/FirstLandscape/Sources/ParcelAPI/ParcelSession.yaml", "Tests/Ledger/landscape.yaml",
                "Tests/Ledger/SignedRequest.yaml", "Tests/Ledger/HashedRequest.yaml", "Tests/Ledger/SignedToken.yaml",
                "Tests/Ledger/QueryRequest.yaml",
                "Specs/AmazonWebServices/AccessKey.yaml", "Tests/Specs/Programs/Instance.yaml",
                "Tests/Specs/Programs/EncodedKey.yaml", "Tests/Vendors/Zoom/landscape.yaml", "Tests/Vendors/Dropbox/landscape.yaml",
                "Tests/Vendors/Atlassian/landscape.yaml", "Tests/Vendors/Nextcloud/landscape.yaml",
                "Tests/Vendors/Nextcloud/LoginFlow.yaml", "Tests/Vendors/FritzBox/BoxSession.yaml",
                "Tests/Specs/Programs/DerivedKey.yaml", "Tests/Specs/Programs/WriteToken.yaml",
            ].map(Self.text) + (1...9).map { try Self.text("Tests/Adopters/TenSteps/Sources/Step\($0)/KeystonePassword.yaml") }
            + ["landscape", "KeystonePassword"].map { try Self.text("Tests/Adopters/TenSteps/Sources/OpenStack/\($0).yaml") }
        for block in try Self.blocks(of: "yaml", in: page) {
            // Parts between empty lines may be separated by other keys in the spec.
            let parts = block.components(separatedBy: "\n\n")
            #expect(specs.contains { spec in parts.allSatisfy(spec.contains) }, "in no spec:\n\(block)")
        }
    }

    @Test(arguments: pages)
    func `every block fits in the column`(page: String) throws {
        var isInBlock = false
        for (number, line) in try Self.text(page).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isInBlock.toggle()
            } else if isInBlock {
                #expect(line.count <= 80, "\(page):\(number + 1) has more than 80 characters")
            }
        }
        #expect(!isInBlock, "\(page) ends within a block")
    }

    @Test func `the last of the ten steps is the spec that is shipped`() throws {
        let lines = try Self.text("Specs/Keystone/KeystonePassword.yaml").split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(try Self.text("Tests/Adopters/TenSteps/Sources/OpenStack/KeystonePassword.yaml").split(separator: "\n") == lines)
    }

    @Test func `the pages are found`() {
        #expect(Self.pages.contains("README.md"))
        #expect(Self.pages.count > 3)
        #expect(Self.pages.contains { $0.hasPrefix(Self.messages) })
    }

    @Test func `the blocks are found`() throws {
        #expect(try Self.pages.flatMap { try Self.blocks(of: "swift", in: $0) }.count > 50)
        #expect(try Self.pages.filter { !$0.hasPrefix(Self.messages) }.flatMap { try Self.blocks(of: "yaml", in: $0) }.count > 10)
    }
}
