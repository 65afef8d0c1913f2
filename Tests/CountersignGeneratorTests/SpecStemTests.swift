import CountersignGenerator
import CountersignSpec
import TestTurns
import Testing

@Suite(.computes) struct `Stems of specs` {
    @Test func `there is one file for each own and inherited spec`() {
        let stems = SpecStems(
            own: ["/p/Contoso/landscape.yaml"], inherited: ["/p/SAP/SAML.yaml", "/p/SAP/landscape.yaml", "/p/SAP/OTP.yaml"])
        #expect(stems.all == ["OTP", "SAML", "landscape"])
    }

    @Test func `case makes no difference, and the landscape's own spelling counts`() {
        #expect(SpecStems(own: ["saml.yaml"], inherited: ["SAML.yaml"]).all == ["saml"])
        #expect(SpecStems(own: [], inherited: ["b/saml.yaml", "a/SAML.yaml"]).all == ["SAML"])
    }

    @Test(arguments: [
        ("a/b.c/SAML.yaml", "SAML"), ("SAML.v2.yaml", "SAML.v2"), ("SAML", "SAML"), (".yaml", ".yaml"),
        ("C:\\specs\\SAML.yaml", "SAML"),
    ])
    func `a stem is the name without folder and ending`(path: String, stem: String) {
        #expect(SpecStems.stem(ofPath: path) == stem)
    }

    @Test func `a method whose file is spelled in another case is found`() throws {
        let files = try LandscapeGenerator().generate(
            ResolvedLandscape(reading: try .samlFixture), stems: SpecStems(own: ["saml", "Landscape"])
        ).get()
        #expect(files.map(\.name) == ["Landscape.generated.swift", "saml.generated.swift"])
        #expect(files.allSatisfy { $0.text.contains("import Countersign") })
    }
}
