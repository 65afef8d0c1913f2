import ArgumentParser
import CountersignGenerator
import CountersignSpec
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The files of a new landscape, and the entries for its package's manifest.
@Suite(.computes) struct NewCommandTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func isYAML(_ name: String) -> Bool { name.hasSuffix(".yaml") }

    /// Generates the code of a draft in memory.
    private func generation(of draft: LandscapeDraft, base: String? = nil) throws -> Generation {
        let own = draft.files.filter { Self.isYAML($0.name) }.map { SpecFile(path: $0.name, bytes: Array($0.text.utf8)) }
        let inherited = base.map(ShippedLandscapes.specs) ?? []
        return try LandscapeGenerator().generate(SpecSources(own: own, inherited: inherited))
    }

    /// The landscape whose methods an extension of a shipped landscape inherits.
    private func root(of shipped: String) -> String {
        ShippedLandscapes.base(of: ShippedLandscapes.specs(of: shipped)) ?? shipped
    }

    /// Runs the command with a folder below that of a test.
    private func run(_ arguments: String..., in folder: SpecFolder, below: String = "Sources/Parcels") throws -> RecordedConsole {
        let recorded = RecordedConsole()
        try NewCommand.parse(arguments + ["--output", "\(folder.path)/\(below)"]).run(console: recorded.console)
        return recorded
    }

    // MARK: The specs

    @Test(arguments: LoginKind.allCases)
    func `each kind of login is a complete spec without mistakes`(kind: LoginKind) throws {
        let draft = try LandscapeDraft("Parcels", extending: nil, login: kind)
        #expect(draft.files.map(\.name) == ["landscape.yaml", "ParcelsLogin.yaml", "Parcels.swift"])
        let generation = try generation(of: draft)
        #expect(generation.diagnostics == [])
        #expect(generation.files?.map(\.name) == ["ParcelsLogin.generated.swift", "landscape.generated.swift"])
    }

    @Test(arguments: ShippedLandscapes.names)
    func `an extension of each shipped landscape has no mistakes`(shipped: String) throws {
        let draft = try LandscapeDraft("Parcels", extending: shipped)
        let generation = try generation(of: draft, base: root(of: shipped))
        #expect(generation.diagnostics == [])
        #expect(generation.files?.isEmpty == false)
        #expect(draft.files[0].text.contains("\nlandscape: Parcels\nextends: \(root(of: shipped))\n"))
    }

    @Test(arguments: ShippedLandscapes.roots)
    func `the override in the comment is valid without its marks`(shipped: String) throws {
        let draft = try LandscapeDraft("Parcels", extending: shipped)
        let lines = draft.files[0].text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex(of: "# methods:"))
        let text = (lines[..<start] + lines[start...].map { $0.hasPrefix("# ") ? String($0.dropFirst(2)) : $0 })
            .joined(separator: "\n")
        let sources = SpecSources(
            own: [SpecFile(path: "landscape.yaml", bytes: Array(text.utf8))], inherited: ShippedLandscapes.specs(of: shipped))
        let generation = try LandscapeGenerator().generate(sources)
        #expect(generation.diagnostics == [])
        #expect(generation.files?.isEmpty == false)
    }

    @Test func `the renewal in the comment of a login with a token is valid without its marks`() throws {
        var files = try LandscapeDraft("Parcels", extending: nil, login: .token).files.filter { Self.isYAML($0.name) }
        let place = try #require(files.firstIndex { $0.name == "ParcelsLogin.yaml" })
        var lines = files[place].text.components(separatedBy: "\n")
        func replace(_ line: String, with others: String...) throws {
            let index = try #require(lines.firstIndex(of: line))
            lines.replaceSubrange(index...index, with: others)
        }
        let start = try #require(lines.firstIndex(of: "# renew:"))
        for index in start..<(try #require(lines[start...].firstIndex(of: ""))) { lines[index].removeFirst(2) }
        let field = "    token: { type: secret, summary: The token. }"
        try replace(field, with: field, "    refresh: { type: secret, summary: The refresh token. }")
        let capture = "            token: { json: /access_token, type: secret }"
        try replace(capture, with: capture, "            refresh: { json: /refresh_token, type: secret }")
        try replace("  - { then: [acquire], retry: 2 }", with: "  - { then: [renew, acquire], retry: 2 }")
        files[place] = GeneratedFile(name: files[place].name, text: lines.joined(separator: "\n"))
        let generation = try LandscapeGenerator().generate(
            SpecSources(own: files.map { SpecFile(path: $0.name, bytes: Array($0.text.utf8)) }))
        #expect(generation.diagnostics == [])
        #expect(generation.files?.isEmpty == false)
    }

    @Test func `comments and specs fit in a terminal`() throws {
        let drafts =
            try LoginKind.allCases.map { try LandscapeDraft("Parcels", extending: nil, login: $0) }
            + ShippedLandscapes.roots.map { try LandscapeDraft("Parcels", extending: $0) }
        // A quoted value can be long.
        for file in drafts.flatMap(\.files) where Self.isYAML(file.name) {
            for line in file.text.split(separator: "\n") where !line.contains("\"") {
                #expect(line.count <= 80, "\(file.name): \(line)")
            }
        }
    }

    @Test func `lint finds the shipped landscape that is extended`() throws {
        let folder = try SpecFolder()
        _ = try run("Parcels", "--extends", "Keycloak", in: folder)
        let recorded = RecordedConsole()
        try LintCommand.parse([folder.path + "/Sources/Parcels"]).run(console: recorded.console)
        #expect(recorded.messages == "")
    }

    // MARK: The files

    @Test func `the standard output is only the text for the manifest`() throws {
        let folder = try SpecFolder()
        try "".write(toFile: folder.path + "/Package.swift", atomically: true, encoding: .utf8)
        let recorded = try run("Parcels", in: folder)
        let target = folder.path + "/Sources/Parcels"
        #expect(folder.names(in: "Sources/Parcels") == ["Parcels.swift", "ParcelsLogin.yaml", "landscape.yaml"])
        #expect(recorded.output == ManifestEntries(target: "Parcels", path: nil, products: ["Countersign"]).text + "\n")
        for name in folder.names(in: "Sources/Parcels") { #expect(recorded.messages.contains("written \(target)/\(name)\n")) }
        #expect(recorded.messages.hasSuffix("  countersign lint \(target)\n  countersign mock --spec \(target)\n  swift build\n"))
        #expect(recorded.messages.contains("the product 'CountersignAsyncHTTPClient'.\n"))
    }

    @Test func `as JSON the names of the files and the entries are data`() throws {
        let folder = try SpecFolder()
        let recorded = try run("Parcels", "--json", in: folder)
        let object = try JSONSerialization.jsonObject(with: Data(recorded.output.utf8)) as? [String: Any]
        let names = ["landscape.yaml", "ParcelsLogin.yaml", "Parcels.swift"]
        #expect(object?["files"] as? [String] == names.map { "\(folder.path)/Sources/Parcels/\($0)" })
        let manifest = object?["manifest"] as? [String: String]
        #expect(manifest?["dependency"]?.hasPrefix(".package(") == true)
        #expect(manifest?["target"]?.hasPrefix(".target(") == true)
    }

    @Test(arguments: ["landscape.yaml", "landscape.yml", "Landscape.YAML", "ParcelsLogin.yaml", "Parcels.swift"])
    func `nothing is written if one of the files exists`(name: String) throws {
        let folder = try SpecFolder()
        let target = folder.path + "/Sources/Parcels"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        try "mine".write(toFile: "\(target)/\(name)", atomically: true, encoding: .utf8)
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.cannotCreate) {
            try NewCommand.parse(["Parcels", "--output", target]).run(console: recorded.console)
        }
        #expect(folder.names(in: "Sources/Parcels") == [name])
        #expect(try String(contentsOfFile: "\(target)/\(name)", encoding: .utf8) == "mine")
        #expect(recorded.output == "")
        #expect(recorded.messages.contains("error: Nothing was written, since there is already '\(target)/\(name)'.\n"))
    }

    @Test func `a folder that cannot be made has an exit status of its own`() throws {
        let folder = try SpecFolder()
        try "".write(toFile: folder.path + "/Sources", atomically: true, encoding: .utf8)
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.cannotCreate) {
            try NewCommand.parse(["Parcels", "--output", folder.path + "/Sources/Parcels"]).run(console: recorded.console)
        }
        #expect(recorded.messages.contains("cannot be written"))
    }

    @Test func `if one file cannot be written, none is left`() throws {
        let folder = try SpecFolder()
        let files = [GeneratedFile(name: "a.yaml", text: "a"), GeneratedFile(name: "missing/b.yaml", text: "b")]
        #expect(throws: CommandProblem.self) {
            try NewFiles(URL(filePath: folder.path + "/out", directoryHint: .isDirectory)).write(files)
        }
        #expect(folder.names(in: "out") == [])
    }

    // MARK: The arguments

    @Test(arguments: [
        ("parcel-api", "it must be the name of a type", "ParcelApi"), ("3scale", "it must be the name of a type", "Scale"),
        ("a: b\nc", "it must be the name of a type", "ABC"), ("Bücher", "with ASCII letters, digits and '_' only", "Bucher"),
        ("Straßen", "with ASCII letters", "Strassen"), ("Ærø", "with ASCII letters", "AEro"),
        ("ﬁnance", "with ASCII letters", "Finance"),
        ("Пакеты", "with ASCII letters", "Pakety"), ("class", "it must be the name of a type", "Class"),
        ("Self", "it would hide a type", "SelfAPI"), ("Type", "it would hide a type", "TypeAPI"),
        ("Session", "it would hide a type", "SessionAPI"), ("Swift", "it would hide a type", "SwiftAPI"),
        ("Keycloak", "comes with Countersign", "KeycloakAPI"),
        ("CountersignParcels", "begin with 'Countersign'", "Parcels"),
    ])
    func `a bad name is an error with a reason and another name`(name: String, reason: String, other: String) throws {
        let folder = try SpecFolder()
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.usage) {
            try NewCommand.parse([name, "--output", folder.path + "/out"]).run(console: recorded.console)
        }
        #expect(recorded.messages.contains(reason))
        #expect(recorded.messages.hasSuffix("help: Use another name, such as '\(other)'.\n"))
        #expect(recorded.output == "")
        #expect(folder.names(in: "out") == [])
    }

    /// SwiftPM takes the target of a `main.swift`, in any case, for a program, and the folder of a `Package.swift` for a package.
    @Test(arguments: [("Main", "MainModule.swift"), ("MAIN", "MAINModule.swift"), ("Package", "PackageModule.swift")])
    func `the Swift file has no name that means something to SwiftPM`(name: String, file: String) throws {
        #expect(try LandscapeDraft(name, extending: nil).files.map(\.name) == ["landscape.yaml", "\(name)Login.yaml", file])
        #expect(try LandscapeDraft(name, extending: "Keycloak").files.map(\.name) == ["landscape.yaml", file])
    }

    /// A keyword is no problem in a name that only contains it, and the method has the landscape's name if that ends with its own.
    @Test(arguments: [
        ("Class", "ClassLogin.yaml"), ("Init", "InitLogin.yaml"), ("P2", "P2Login.yaml"), ("Login", "Login.yaml"),
        ("CompanyLogin", "CompanyLogin.yaml"), ("Null", "NullLogin.yaml"),
    ])
    func `the method of an allowed name is valid`(name: String, method: String) throws {
        for kind in LoginKind.allCases {
            let draft = try LandscapeDraft(name, extending: nil, login: kind)
            #expect(draft.files.map(\.name) == ["landscape.yaml", method, "\(name).swift"])
            let generation = try generation(of: draft)
            #expect(generation.diagnostics == [] && generation.files?.count == 2)
        }
    }

    @Test func `the name of an inherited type is an error`() throws {
        let problem = #expect(throws: CommandProblem.self) {
            try LandscapeDraft("OpenIDLoginObserver", extending: "OpenIDConnect")
        }
        #expect(problem?.exit == CommandExit.usage)
        #expect(problem?.remedy == "Use another name, such as 'OpenIDLoginObserverAPI'.")
    }

    @Test func `an unknown landscape is an error that lists all and suggests the nearest`() throws {
        let problem = #expect(throws: CommandProblem.self) { try LandscapeDraft("Parcels", extending: "Keyclock") }
        #expect(problem?.exit == CommandExit.usage)
        #expect(
            problem?.remedy
                == "Did you mean 'Keycloak'? There are: \(ShippedLandscapes.names.joined(separator: ", ")).")
    }

    @Test func `a landscape that extends one has no login of its own kind`() {
        #expect(throws: (any Error).self) { try NewCommand.parse(["Parcels", "--extends", "OAuth", "--login", "form"]) }
        #expect(throws: (any Error).self) { try NewCommand.parse(["Parcels", "--login", "saml"]) }
        #expect(throws: (any Error).self) { try NewCommand.parse(["Parcels", "--output", ""]) }
    }

    // MARK: The manifest

    /// Returns the lines without indentation.
    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Whether some lines are in another list, one after the other.
    private func isPart(_ part: [String], of lines: [String]) -> Bool {
        lines.indices.contains { lines[$0...].starts(with: part) }
    }

    @Test(
        arguments: [
            ("FirstLandscape", "ParcelAPI", nil), ("ServiceProvider", "MellonServiceProvider", "SAPMobileServices"),
        ] as [(String, String, String?)])
    func `the target is the one of a package that is built`(adopter: String, name: String, base: String?) throws {
        let manifest = try String(
            contentsOf: Self.root.appending(path: "Tests/Adopters/\(adopter)/Package.swift"), encoding: .utf8)
        let products = try LandscapeDraft(name, extending: base).products
        let entries = ManifestEntries(target: name, path: nil, products: products)
        #expect(isPart(lines(entries.target), of: lines(manifest)))
    }

    @Test func `the dependency is the one of the article`() throws {
        let article = try String(
            contentsOf: Self.root.appending(path: "Sources/Countersign/Countersign.docc/AFirstLandscape.md"), encoding: .utf8)
        let entries = ManifestEntries(target: "Parcels", path: nil, products: ["Countersign"])
        // The article has only one dependency, so no comma follows it.
        #expect(isPart(lines(String(entries.dependency.dropLast())), of: lines(article)))
    }

    @Test(arguments: ShippedLandscapes.names)
    func `an extension depends on the landscape whose methods it inherits`(shipped: String) throws {
        let products = try LandscapeDraft("Parcels", extending: shipped).products
        let more = root(of: shipped) == "SAPMobileServices" ? ["CountersignSAP"] : []
        #expect(products == [root(of: shipped)] + more)
    }

    @Test(
        arguments: [
            ("Sources/Parcels", nil), ("Sources/Parcels/", nil), ("Landscapes/Parcels", "Landscapes/Parcels"),
            ("Sources/../Specs/Parcels", "Specs/Parcels"), ("Sources/Other", "Sources/Other"),
        ] as [(String, String?)])
    func `a folder that SwiftPM does not find is the path of the target`(folder: String, path: String?) throws {
        let package = try SpecFolder()
        #expect(TargetFolder(folder, ofTarget: "Parcels", current: package.path).manifestPath == path)
        // With a manifest, the package is found from another folder, too.
        try "".write(toFile: package.path + "/Package.swift", atomically: true, encoding: .utf8)
        #expect(TargetFolder("\(package.path)/\(folder)", ofTarget: "Parcels", current: "/").manifestPath == path)
        let target = ManifestEntries(target: "Parcels", path: path, products: ["Countersign"]).target
        #expect(target.contains("\n    path: ") == (path != nil))
        if let path { #expect(lines(target).contains("path: \"\(path)\",")) }
    }

    @Test func `a path is text in the manifest`() {
        let target = ManifestEntries(target: "Parcels", path: #"a"b\c"#, products: ["Countersign"]).target
        #expect(target.contains(#"path: "a\"b\\c","#))
    }
}
