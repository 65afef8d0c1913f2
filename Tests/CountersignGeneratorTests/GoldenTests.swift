import CountersignSpec
import TestTurns
import Testing

@testable import CountersignGenerator

@Suite(.takesTurns) struct `Generated files` {
    @Test func `the landscape of this package`() throws {
        try check("SAPMobileServices", try .packageFixture)
    }

    @Test func `a landscape that extends another, with a method that it omits and one that it has not`() throws {
        try check("Overlay", try .overlayFixture)
    }

    @Test(arguments: [
        // Values of each type: settings, parameters, values derived from settings, and values of tokens.
        "FieldTypes",
        // All shapes of URLs and patterns.
        "Matches",
        // Errors with every payload.
        "Errors",
        // Names that are keywords of Swift, or that generated code uses.
        "Keywords",
        // A method whose parameters name no type of Foundation.
        "Bare",
        // A landscape without methods and settings.
        "Empty",
        // Challenges that name their authentication schemes.
        "Schemes",
        // Methods whose page another application can navigate.
        "Callbacks",
        // Methods that get tokens by variants.
        "Grants",
        // Methods whose credential the application supplies.
        "Credentials",
        // Methods with observers of `Session`.
        "Programs",
        // Operations with parameters and results.
        "Operations",
        // Operations of `Session`.
        "SessionOperations",
    ])
    func `a landscape that has every construct of its kind`(name: String) throws {
        try check(name, try .fixture(name))
    }

    @Test func `texts that try to leave their place`() throws {
        let stems = SpecStems(own: ["Nasty", "landscape"])
        try Goldens("NastyTexts").compare(try LandscapeGenerator().generate(try .nastyTexts, stems: stems).get())
    }

    private func check(
        _ name: String, _ sources: SpecSources, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let generation = try LandscapeGenerator().generate(sources)
        #expect(
            generation.diagnostics == [], "\(DiagnosticRenderer().text(generation.diagnostics))", sourceLocation: sourceLocation)
        try Goldens(name).compare(try #require(generation.files, sourceLocation: sourceLocation), sourceLocation: sourceLocation)
    }
}
