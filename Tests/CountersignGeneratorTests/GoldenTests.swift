import CountersignSpec
import TestTurns
import Testing

@testable import CountersignGenerator

@Suite(.takesTurns) struct `Generated files` {
    @Test func `a landscape that extends another, with a method that it omits and one that it has not`() throws {
        try check("Overlay", try .overlayFixture, stems: ["landscape"], inherited: ["landscape", "SAML", "OTP", "APIKey"])
    }

    @Test func `all types of fields`() throws {
        try check("FieldTypes", .fieldTypesFixture, stems: ["Types", "landscape"])
    }

    @Test func `all shapes of templates and matches`() throws {
        try check("Matches", .matchesFixture, stems: ["Matches", "landscape"])
    }

    @Test func `errors with every payload`() throws {
        try check("Errors", .errorsFixture, stems: ["Errors", "landscape"])
    }

    @Test func `names that are keywords of Swift`() throws {
        try check("Keywords", .keywordsFixture, stems: ["default", "landscape"])
    }

    @Test func `texts that try to leave their place`() throws {
        try check("NastyTexts", .nastyTextsFixture, stems: ["Nasty", "landscape"])
    }

    @Test func `a method whose parameters name no type of Foundation`() throws {
        try check("Bare", .minimal("Bare", methods: [.bareFixture]), stems: ["Bare", "landscape"])
    }

    @Test func `a landscape without methods and settings`() throws {
        try check("Empty", .minimal("Empty", methods: []), stems: ["landscape"])
    }

    private func check(
        _ name: String, _ landscape: ResolvedLandscape, stems: [String], inherited: [String] = [],
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let files = try LandscapeGenerator().generate(landscape, stems: SpecStems(own: stems, inherited: inherited)).get()
        try Goldens(name).compare(files, sourceLocation: sourceLocation)
    }
}
