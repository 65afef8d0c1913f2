import CountersignGenerator
import CountersignSpec
import Testing

@Suite struct `Generated files` {
    @Test func `SAML on SAP Mobile Services`() throws {
        try check("SAPMobileServices", .samlFixture, stems: ["SAML", "landscape"])
    }

    private func check(_ name: String, _ landscape: ResolvedLandscape, stems: [String]) throws {
        let files = try LandscapeGenerator().generate(landscape, stems: SpecStems(own: stems)).get()
        try Goldens(name).compare(files)
    }
}
