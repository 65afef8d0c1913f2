import CountersignSpec
import Foundation
import TestTurns
import Testing

/// The tool as the build plugin runs it.
@Suite(.takesTurns) struct `countersign-generator` {
    private let folder: TemporaryFolder
    private let sources: TemporaryFolder
    /// The spec of SAML, and that of its landscape without the parts about other methods.
    private let specs: [String]

    init() throws {
        folder = try TemporaryFolder()
        sources = try TemporaryFolder()
        let texts = try SpecSources.samlFixture.own
        specs = try texts.map { [sources] spec in
            let target = sources.url.appending(path: String(try #require(spec.path.split(separator: "/").last)))
            try Data(spec.bytes).write(to: target)
            return target.path(percentEncoded: false)
        }
    }

    @Test func `all is well`() throws {
        let run = try run(["--output", output] + specs)
        #expect((run.status, run.errors) == (0, ""))
        #expect(try folder.names == ["SAML.generated.swift", "landscape.generated.swift"])
    }

    @Test func `hash seeds, order, folder and environment change no byte`() throws {
        var texts: Set<String> = []
        for (index, environment) in [
            ["SWIFT_DETERMINISTIC_HASHING": "1"], [:], ["TZ": "Asia/Tokyo", "LANG": "de_AT", "HOME": "/"],
        ].enumerated() {
            let specs = index == 1 ? specs.reversed() : specs
            let run = try run(["--output", output + "\(index)"] + specs, environment: environment)
            #expect(run.status == 0)
            texts.insert(try folder.text("\(index)/SAML.generated.swift") + folder.text("\(index)/landscape.generated.swift"))
        }
        #expect(texts.count == 1)
    }

    @Test func `a mistake is reported on its line, and nothing is written`() throws {
        let path = try copy("SAML.yaml") { $0.replacing("rejected:", with: "rejectde:") }
        let landscape = try copy("landscape.yaml")
        let run = try run(["--output", output + "out", path, landscape])
        #expect(run.status == 1)
        let lines = try folder.text("SAML.yaml").split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.hasPrefix("rejectde:") }) + 1
        #expect(run.errors.hasPrefix("\(path):\(line):1: error: ") && run.errors.contains("[CS0201]"))
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(try folder.names == ["SAML.yaml", "landscape.yaml"])
    }

    @Test func `a warning is printed and fails nothing`() throws {
        let path = try copy("SAML.yaml") {
            $0.replacing("\n  cancelled:\n", with: "\n  neverRaised: { summary: Never. }\n  cancelled:\n")
        }
        let run = try run(["--output", output + "out", path, try copy("landscape.yaml")])
        #expect(run.status == 0)
        #expect(run.errors.contains(": warning: ") && run.errors.contains("[CS0606]"))
        #expect(try folder.names.contains("out"))
    }

    @Test func `mistakes as JSON`() throws {
        let run = try run(["--output", output, "--diagnostics-format", "json", "missing.yaml"])
        #expect(run.status == 1)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.errors.utf8)) as? [String: Any])
        let diagnostics = try #require(report["diagnostics"] as? [[String: Any]])
        #expect(diagnostics.contains { $0["code"] as? String == DiagnosticCode.unreadableFile.rawValue })
    }

    @Test(arguments: [
        [], ["--output", "x"], ["a.yaml"], ["--output", "x", "--diagnostics-format", "xml", "a.yaml"], ["--unknown"],
    ])
    func `wrong usage ends with 64`(arguments: [String]) throws {
        #expect(try run(arguments).status == 64)
    }

    @Test func `a folder that cannot be written ends with 73 and says why`() throws {
        let file = folder.url.appending(path: "file")
        try Data().write(to: file)
        let path = file.path(percentEncoded: false)
        let run = try run(["--output", path] + specs)
        #expect(run.status == 73)
        #expect(run.errors.hasPrefix(path) && run.errors.contains(": error: cannot be written: "))
    }

    @Test func `a module that generated code imports and the target lacks is reported at the landscape's name`() throws {
        let landscape = try copy("landscape.yaml")
        let lines = try String(contentsOfFile: landscape, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.hasPrefix("landscape:") }) + 1
        let lacking = ["CountersignFoundation", "CountersignIdentity"].flatMap { ["--lacking", $0] }
        let run = try run(["--output", output + "out"] + lacking + ["--", try copy("SAML.yaml"), landscape])
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("\(landscape):\(line):12: error: "), "\(run.errors)")
        #expect(run.errors.contains("'CountersignFoundation'") && run.errors.contains("[CS0706]"))
        // These specs do not use certificates.
        #expect(!run.errors.contains("CountersignIdentity"))
        #expect(try !folder.names.contains("out"))
    }

    @Test func `specs of a base are ignored without extends`() throws {
        let own = try copy("landscape.yaml")
        let run = try run(["--output", output + "out"] + specs.flatMap { ["--base", $0] } + ["--", own])
        #expect((run.status, run.errors) == (0, ""))
        #expect(
            try folder.text("out/SAML.generated.swift").hasPrefix(
                "// Generated by Countersign. Landscape SAPMobileServices has no such method"))
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full here"),
        arguments: [(">/dev/full", "No space left on device"), (">&-", "it is closed")])
    func `pages whose list cannot be written end with 73`(redirection: String, reason: String) throws {
        let tool = try Self.tool.path(percentEncoded: false)
        let command = ["-c", "exec \"$@\" \(redirection)", "sh", tool, "pages", "--catalog", output + "SAP.docc"] + specs
        let run = try run(command, of: URL(filePath: "/bin/sh"))
        #expect((run.status, run.errors) == (73, "standard output: error: cannot be written: \(reason)\n"))
        #expect(try folder.names == ["SAP.docc"])
    }

    private var output: String { folder.url.path(percentEncoded: false) }

    /// Copies a spec into the test's folder.
    private func copy(_ name: String, change: (String) -> String = { $0 }) throws -> String {
        let source = try #require(specs.first { $0.hasSuffix("/\(name)") })
        let target = folder.url.appending(path: name)
        try Data(change(try String(contentsOfFile: source, encoding: .utf8)).utf8).write(to: target)
        return target.path(percentEncoded: false)
    }

    private func run(
        _ arguments: [String], of program: URL? = nil, environment: [String: String] = [:]
    ) throws -> (status: Int32, errors: String) {
        let process = Process()
        process.executableURL = try program ?? Self.tool
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let data = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// The tool that was built with these tests, in the same folder.
    private static var tool: URL {
        get throws {
            let bundles = [Bundle.main.executableURL] + Bundle.allBundles.map { Optional($0.bundleURL) }
            let candidates = bundles.compactMap { $0?.deletingLastPathComponent().appending(path: "countersign-generator") }
            return try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) })
        }
    }
}
