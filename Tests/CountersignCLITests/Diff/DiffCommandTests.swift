import ArgumentParser
import CountersignGenerator
import CountersignSpec
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// Comparing two versions of a landscape.
@Suite(.takesTurns) struct DiffCommandTests {
    /// Writes two versions below a folder, and returns their paths.
    private func write(_ edits: [DiffBench.Edit], in folder: SpecFolder) throws -> [String] {
        for (name, files) in [("old", DiffBench.files), ("new", try DiffBench.edited(DiffBench.files, edits))] {
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
            for file in files { try Data(file.bytes).write(to: URL(filePath: "\(folder.path)/\(name)/\(file.path)")) }
        }
        return ["\(folder.path)/old", "\(folder.path)/new"]
    }

    private func run(_ arguments: [String], exit: ExitCode? = nil) throws -> RecordedConsole {
        let recorded = RecordedConsole()
        let command = try DiffCommand.parse(arguments)
        if let exit {
            #expect(throws: exit) { try command.run(console: recorded.console) }
        } else {
            try command.run(console: recorded.console)
        }
        return recorded
    }

    // MARK: The command

    @Test func `equal versions have no differences`() throws {
        let folder = try SpecFolder()
        let recorded = try run(try write([], in: folder))
        #expect(recorded.output == "no differences\n")
        #expect(recorded.messages == "")
    }

    @Test func `breaking changes come first, with their places, and the exit status is 1`() throws {
        let folder = try SpecFolder()
        let edits = [
            DiffBench.Edit("status: 403", "status: [401, 403]"), .init("retry: 2", "retry: 1"),
            DiffBench.addedAnswer,
        ]
        let paths = try write(edits, in: folder)
        let method = paths[1] + "/ParcelSession.yaml"
        let recorded = try run(paths, exit: CommandExit.failed)
        #expect(
            recorded.output == """
                Parcels: 2 breaking changes, 1 other

                breaking
                \(method):20:30  wire  ParcelSession.challenge.expired.status: 403 is now [401, 403]
                \(method):52:31  wire  ParcelSession.rejected.2.retry: 2 is now 1

                compatible
                \(method):45:11  wire  ParcelSession.acquire.login.http.answers.3: added { status: 403, error: server }

                """)
    }

    @Test func `compatible changes and documentation have the exit status 0`() throws {
        let folder = try SpecFolder()
        let edits = [
            DiffBench.Edit("A session token for", "A token for"), DiffBench.addedAnswer,
        ]
        let recorded = try run(try write(edits, in: folder))
        #expect(recorded.output.hasPrefix("Parcels: no breaking changes, 1 other, 1 change of documentation\n\ncompatible\n"))
    }

    @Test func `as JSON the changes are data`() throws {
        let folder = try SpecFolder()
        let paths = try write([DiffBench.Edit("status: 403", "status: [401, 403]")], in: folder)
        let recorded = try run(paths + ["--json"], exit: CommandExit.failed)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(recorded.output.utf8)) as? [String: Any])
        #expect(object["old"] as? String == "Parcels")
        #expect(object["new"] as? String == "Parcels")
        #expect(object["breaking"] as? Int == 1)
        let change = try #require((object["changes"] as? [[String: Any]])?.first)
        #expect(change["area"] as? String == "wire")
        #expect(change["kind"] as? String == "changed")
        #expect(change["isBreaking"] as? Bool == true)
        #expect(change["path"] as? String == "ParcelSession.challenge.expired.status")
        #expect(change["old"] as? String == "403")
        #expect(change["new"] as? String == "[401, 403]")
        #expect(change["file"] as? String == paths[1] + "/ParcelSession.yaml")
        #expect(change["line"] as? Int == 20)
        #expect(change["column"] as? Int == 30)
    }

    @Test func `the mistakes of a version are shown as by lint`() throws {
        let folder = try SpecFolder()
        let paths = try write([DiffBench.Edit("credential:", "credentail:")], in: folder)
        for arguments in [paths, paths.reversed()] {
            let recorded = try run(arguments, exit: CommandExit.badData)
            #expect(recorded.output == "")
            #expect(recorded.messages.contains(/new\/ParcelSession\.yaml:\d+:\d+: error: .*\[CS0201\]/))
        }
    }

    @Test func `a missing folder and a file have exit statuses of their own`() throws {
        let folder = try SpecFolder()
        let paths = try write([], in: folder)
        _ = try run([folder.path + "/missing", paths[1]], exit: CommandExit.noInput)
        let recorded = try run([paths[0] + "/ParcelSession.yaml", paths[1]], exit: CommandExit.usage)
        #expect(recorded.messages.contains("is a file: give the folder"))
    }

    @Test func `another name of the landscape is a warning and a breaking change`() throws {
        let folder = try SpecFolder()
        let recorded = try run(
            try write([DiffBench.Edit("landscape: Parcels", "landscape: Parcel")], in: folder), exit: CommandExit.failed)
        #expect(recorded.messages == "warning: the landscapes have different names: 'Parcels' and 'Parcel'\n")
        #expect(recorded.output.contains("landscape.landscape: Parcels is now Parcel; applications import the module by its name"))
    }

    // MARK: Landscapes

    private static let overlay = """
        countersign: 2
        landscape: Express
        extends: Parcels
        summary: Another delivery service.
        methods:
          ParcelSession:
            challenge:
              expired: { status: 419 }

        """

    @Test func `a change of the base is one of the landscape that extends it`() throws {
        let own = [DiffBench.file("landscape.yaml", Self.overlay)]
        let edits = [DiffBench.Edit("retry: 2", "retry: 1"), .init("status: 403", "status: 404")]
        let comparison = LandscapeComparison(
            from: try DiffBench.generation(own, extending: DiffBench.files),
            to: try DiffBench.generation(own, extending: try DiffBench.edited(DiffBench.files, edits)))
        // The overlay overrides the status.
        #expect(
            DiffBench.lines(comparison, [.wire, .spec, .store, .swift]) == ["! wire ParcelSession.rejected.2.retry: 2 is now 1"])
    }

    @Test func `an override has its place in the landscape that extends`() throws {
        let old = [DiffBench.file("Express/landscape.yaml", Self.overlay)]
        let new = try DiffBench.edited(old, [DiffBench.Edit("419", "420")])
        let comparison = LandscapeComparison(
            from: try DiffBench.generation(old, extending: DiffBench.files),
            to: try DiffBench.generation(new, extending: DiffBench.files))
        #expect(comparison.changes.map(\.text) == ["419 is now 420"])
        #expect(comparison.changes.first?.location == SourceLocation(file: "Express/landscape.yaml", line: 8, column: 26))
    }

    @Test func `the old version can have a base of its own`() throws {
        let folder = try SpecFolder()
        let bases = try write([DiffBench.Edit("retry: 2", "retry: 1")], in: folder)
        let express = folder.path + "/express"
        try FileManager.default.createDirectory(atPath: express, withIntermediateDirectories: true)
        try Self.overlay.write(toFile: express + "/landscape.yaml", atomically: true, encoding: .utf8)
        #expect(try run([express, express, "--base", bases[1]]).output == "no differences\n")
        let recorded = try run([express, express, "--base", bases[1], "--old-base", bases[0]], exit: CommandExit.failed)
        #expect(recorded.output.hasPrefix("Express: 1 breaking change\n"))
    }

    @Test func `a method file can be added but not removed`() throws {
        let more = DiffBench.file(
            "ParcelKey.yaml",
            DiffBench.method.replacing("ParcelSession", with: "ParcelKey").replacing("no_session", with: "no_key")
                .replacing("403", with: "419"))
        let (few, all) = (try DiffBench.generation(DiffBench.files), try DiffBench.generation(DiffBench.files + [more]))
        #expect(DiffBench.lines(LandscapeComparison(from: few, to: all), [.spec]) == ["+ spec ParcelKey: added"])
        #expect(DiffBench.lines(LandscapeComparison(from: all, to: few), [.spec]) == ["! spec ParcelKey: removed"])
    }

    @Test func `variants can be added but not removed, and settings are like parameters`() throws {
        let files = ShippedLandscapes.specs(of: "SAPMobileServices")
        let edits = [DiffBench.Edit("  deviceID: { type: string, optional: true,", "  deviceID: { type: string, example: a,")]
        let settings = DiffBench.lines(try DiffBench.comparison(edits, of: files), [.spec])
        #expect(settings == ["! spec landscape.settings.deviceID.optional: removed true; the value is required"])

        let index = try #require(files.firstIndex { $0.name == "OAuth2.yaml" })
        var text = String(decoding: files[index].bytes, as: UTF8.self)
        let start = try #require(text.firstRange(of: "\n  password:\n"))
        let rest = text[start.upperBound...]
        let end = rest.firstMatch(of: /\n(?=[a-z])/)?.range.lowerBound ?? rest.endIndex
        text.removeSubrange(start.lowerBound..<end)
        var fewer = files
        fewer[index] = SpecFile(path: files[index].path, bytes: Array(text.utf8))
        let (whole, part) = (try DiffBench.generation(files), try DiffBench.generation(fewer))
        let subject = "OAuth2.variants.password"
        let added = LandscapeComparison(from: part, to: whole).changes.filter { $0.subject == subject }
        #expect(added.map { [$0.area.rawValue, $0.kind.rawValue, "\($0.isBreaking)"] } == [["wire", "added", "false"]])
        let removed = LandscapeComparison(from: whole, to: part).changes.filter { $0.subject == subject }
        #expect(removed.map { [$0.area.rawValue, $0.kind.rawValue, "\($0.isBreaking)"] } == [["wire", "removed", "true"]])
    }
}
