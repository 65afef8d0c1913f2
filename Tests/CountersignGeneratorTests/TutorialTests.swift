import CountersignGenerator
import CountersignSpec
import Foundation
import TestTurns
import Testing

/// The code of the tutorials is that of `Tests/Adopters/Tutorials`, which the gate builds and runs, or a spec that is read here.
@Suite(.takesTurns) struct `Code in the tutorials` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let folder = root.appending(path: "Sources/Countersign/Countersign.docc/Tutorials")
    private static let resources = folder.appending(path: "Resources")
    private static let package = root.appending(path: "Tests/Adopters/Tutorials")

    /// A code file of a step: its displayed name, and the file.
    struct Code: Hashable, CustomTestStringConvertible {
        let tutorial, name, file: String

        var testDescription: String { "\(tutorial): \(file)" }
        var text: String { get throws { try String(contentsOf: resources.appending(path: file), encoding: .utf8) } }
        /// The first part of the file's name, which identifies the tutorial.
        var set: String { String(file.prefix { $0 != "-" }) }
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
    }

    private static func tutorials() throws -> [(name: String, text: String)] {
        try names(in: folder).filter { $0.hasSuffix(".tutorial") }.map {
            ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
        }
    }

    /// The code of all steps, in their order.
    static let codes: [Code] = {
        let found = try? tutorials().flatMap { name, text in
            text.matches(of: /@Code\(name: "([^"]+)", file: ([^,)]+)/).map {
                Code(tutorial: name, name: String($0.output.1), file: String($0.output.2))
            }
        }
        return found ?? []
    }()

    static let methods = codes.filter { $0.file.contains("-method-") }

    private static func packageText(_ path: String) throws -> String {
        try String(contentsOf: package.appending(path: path), encoding: .utf8)
    }

    @Test func `each file of code is in a step, and each step's file is there`() throws {
        let files = try Self.names(in: Self.resources)
        #expect(Set(files.filter { !$0.hasSuffix(".svg") }) == Set(Self.codes.map(\.file)))
        #expect(Self.codes.count >= 20)
        #expect(!Self.methods.isEmpty)
    }

    @Test(arguments: codes)
    func `code is as narrow as the column of a step`(code: Code) throws {
        let wide = try code.text.split(separator: "\n").filter { $0.count > 72 }
        #expect(wide == [])
    }

    @Test(arguments: codes.filter { $0.file.hasSuffix(".swift") })
    func `code in Swift is a file of the package that the gate builds`(code: Code) throws {
        let text = try code.text
        guard code.name != "Package.swift" else {
            let manifest = try Self.packageText(code.name).replacing(
                #/[ ]{8}// Not in the tutorial:(.|\n)*?// end\n/#, with: ""
            ).replacing(
                ".package(name: \"swift-countersign\", path: \"../../..\")",
                with: """
                    .package(
                                url: "https://github.com/OWNER/swift-countersign",
                                from: "0.1.0")
                    """)
            #expect(text == manifest)
            return
        }
        let paths = [code.name, code.name.replacing("Sources/loans/", with: "Sources/LoansUnanswered/")]
        let texts = try paths.map { path in
            FileManager.default.fileExists(atPath: Self.package.appending(path: path).path) ? try Self.packageText(path) : nil
        }
        #expect(texts.contains(text))
    }

    @Test(arguments: methods)
    func `each step's spec is read without a diagnostic, and generates`(code: Code) throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "countersign-tutorial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let landscape = try #require(Self.codes.first { $0.tutorial == code.tutorial && $0.file.hasSuffix("-landscape.yaml") })
        let paths = try [landscape, code].map { code in
            let path = place.appending(path: URL(filePath: code.name).lastPathComponent)
            try code.text.write(to: path, atomically: true, encoding: .utf8)
            return path.path(percentEncoded: false)
        }
        let (sources, unreadable) = SpecSources.load(own: paths, inherited: [])
        let generation = try LandscapeGenerator().generate(sources, unreadable: unreadable)
        #expect(DiagnosticRenderer().text(generation.diagnostics) == "")
        #expect(generation.files?.isEmpty == false)
    }

    @Test func `the last spec of a tutorial is the one that the gate compiles`() throws {
        for (landscape, method, set, last) in [
            ("CityLibrary", "LibraryLogin", "loans", 3), ("Parcels", "ParcelToken", "tour", 10),
        ] {
            let shown = try #require(Self.methods.first { $0.file == "\(set)-method-\(last).yaml" })
            #expect(try Self.packageText("Sources/\(landscape)/\(method).yaml") == shown.text)
            let names = try #require(Self.codes.first { $0.file == "\(set)-landscape.yaml" })
            #expect(try Self.packageText("Sources/\(landscape)/landscape.yaml") == names.text)
        }
        #expect(Self.methods.last { $0.set == "tour" }?.file == "tour-method-10.yaml")
    }

    @Test func `the edit of the spec is one line`() throws {
        let texts = try ["loans-method-3.yaml", "loans-method-4.yaml"].map { name in
            try String(contentsOf: Self.resources.appending(path: name), encoding: .utf8)
        }
        let (before, after) = (texts[0].split(separator: "\n"), texts[1].split(separator: "\n"))
        #expect(before.count == after.count)
        let changed = zip(before, after).count { $0 != $1 }
        #expect(changed == 1)
    }

    @Test func `each picture has a dark variant and an alternative text`() throws {
        let files = Set(try Self.names(in: Self.resources))
        let pictures = try Self.tutorials().flatMap { _, text in
            text.matches(of: /@Image\(source: ([^,)]+)\.svg, alt: "([^"]+)"\)/).map { (String($0.output.1), String($0.output.2)) }
        }
        let shown = try Self.tutorials().map { $0.text.matches(of: /@Image\(/).count }.reduce(0, +)
        #expect(pictures.count == shown)
        for (name, alternative) in pictures {
            #expect(files.contains("\(name).svg") && files.contains("\(name)~dark.svg"))
            #expect(alternative.count > 20)
        }
        let (dark, all) = (files.filter { $0.hasSuffix("~dark.svg") }, files.filter { $0.hasSuffix(".svg") })
        #expect(dark.count * 2 == all.count)
    }
}
