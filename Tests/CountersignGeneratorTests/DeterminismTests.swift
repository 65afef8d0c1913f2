import CountersignGenerator
import CountersignSpec
import TestTurns
import Testing

@Suite(.takesTurns) struct `Determinism` {
    @Test func `the order of files and methods changes nothing`() throws {
        var landscape = try ResolvedLandscape.samlFixture
        landscape.methods.append(.bareFixture)
        var reversed = landscape
        reversed.methods.reverse()
        let stems = SpecStems(own: ["b/SAML.yaml", "a/landscape.yaml"], inherited: ["x/Bare.yaml", "x/OTP.yaml"])
        let otherStems = SpecStems(own: ["a/landscape.yaml", "b/SAML.yaml"], inherited: ["x/OTP.yaml", "x/Bare.yaml"])
        let first = try LandscapeGenerator().generate(landscape, stems: stems).get()
        let second = try LandscapeGenerator().generate(reversed, stems: otherStems).get()
        // The constant lists methods in the order of the model, which the reader sorts; every other file is the same.
        #expect(first.map(\.name) == second.map(\.name))
        #expect(first.filter { $0.name != "landscape.generated.swift" } == second.filter { $0.name != "landscape.generated.swift" })
    }

    @Test func `two runs write the same bytes`() throws {
        let runs = try (0..<2).map { _ in
            try LandscapeGenerator().generate(.fieldTypesFixture, stems: SpecStems(own: ["Types", "landscape"])).get()
        }
        #expect(runs[0] == runs[1])
    }

    @Test func `no absolute path gets into a file`() throws {
        let files = try LandscapeGenerator().generate(Self.moved(try .samlFixture), stems: SpecStems(own: ["SAML", "landscape"]))
            .get()
        #expect(files.allSatisfy { !$0.text.contains("/home") })
        #expect(
            files.map(\.text)
                == (try LandscapeGenerator().generate(try .samlFixture, stems: SpecStems(own: ["SAML", "landscape"])).get()).map(
                    \.text))
    }

    /// The landscape as read from another folder.
    private static func moved(_ landscape: ResolvedLandscape) -> ResolvedLandscape {
        var landscape = landscape
        func move<Value>(_ value: inout Located<Value>) {
            value.location = SourceLocation(
                file: "/home/someone/\(value.location.file)", line: value.location.line, column: value.location.column)
        }
        move(&landscape.name)
        for index in landscape.methods.indices {
            move(&landscape.methods[index].name)
            move(&landscape.methods[index].errors.name)
            guard var parameters = landscape.methods[index].parameters else { continue }
            for field in parameters.fields.indices { move(&parameters.fields[field].name) }
            landscape.methods[index].parameters = parameters
        }
        return landscape
    }
}
