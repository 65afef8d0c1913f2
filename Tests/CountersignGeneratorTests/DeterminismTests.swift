import CountersignGenerator
import CountersignSpec
import TestTurns
import Testing

@Suite(.computes) struct `Determinism` {
    @Test func `the order of files and methods changes nothing`() throws {
        let landscape = try ResolvedLandscape.minimal("First", "Second")
        var reversed = landscape
        reversed.programMethods.reverse()
        let stems = SpecStems(own: ["b/First.yaml", "a/landscape.yaml"], inherited: ["x/Second.yaml", "x/OTP.yaml"])
        let otherStems = SpecStems(own: ["a/landscape.yaml", "b/First.yaml"], inherited: ["x/OTP.yaml", "x/Second.yaml"])
        let first = try LandscapeGenerator().generate(landscape, stems: stems).get()
        let second = try LandscapeGenerator().generate(reversed, stems: otherStems).get()
        // The constant lists methods in the order of the model, which the reader sorts; every other file is the same.
        #expect(first.map(\.name) == second.map(\.name))
        #expect(first.filter { $0.name != "landscape.generated.swift" } == second.filter { $0.name != "landscape.generated.swift" })
    }

    @Test(arguments: ["FieldTypes", "Grants", "Programs"])
    func `two runs write the same bytes`(name: String) throws {
        let runs = try (0..<2).map { _ in try #require(try LandscapeGenerator().generate(.fixture(name)).files) }
        #expect(runs[0] == runs[1])
    }

    @Test(arguments: ["FieldTypes", "Grants", "Credentials", "Programs"])
    func `no absolute path gets into a file`(name: String) throws {
        let sources = try SpecSources.fixture(name)
        let moved = SpecSources(own: sources.own.map { SpecFile(path: "/home/someone/\($0.path)", bytes: $0.bytes) })
        let files = try #require(try LandscapeGenerator().generate(moved).files)
        #expect(files.allSatisfy { !$0.text.contains("/home") })
        #expect(files == (try LandscapeGenerator().generate(sources).files))
    }
}
