import CountersignSpec
import Foundation
import TestTurns
import Testing

/// Fields with a closed set of values, as the model represents them.
@Suite(.computes) struct ChoiceReadingTests {
    @Test(arguments: [
        ("client_secret_basic", "clientSecretBasic"), ("select-account", "selectAccount"), ("form_post.jwt", "formPostJwt"),
        ("S256", "s256"), ("HTTPBasic", "httpBasic"), ("urn:ietf:params:oauth:token-type:jwt", "urnIetfParamsOauthTokenTypeJwt"),
        ("default", "default"), ("none", "valueNone"), ("self", "valueSelf"), ("2fa", "value2fa"), ("-a-", "a"),
    ])
    func `a value has the name of a case`(value: String, name: String) {
        #expect(ResolvedChoice.caseName(of: value) == name)
    }

    @Test(arguments: ["*", "", "--", "ä"])
    func `a value without letters and digits of ASCII has none`(value: String) {
        #expect(ResolvedChoice.caseName(of: value) == nil)
    }

    @Test func `the values are those of the file, in its order`() throws {
        let reading = SpecReader.read(SpecSources(landscape: Self.landscape))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        let region = try #require(reading.landscape?.settings?.fields.first { $0.name.value == "region" })
        #expect(region.type == .choice)
        #expect(region.choices.map(\.value.value) == ["eu", "us"])
        #expect(region.choices.map(\.summary) == ["Europe.", "America."])
    }

    @Test func `an extending landscape adds values to the inherited ones and replaces their sentences`() throws {
        let extending =
            ValidSpec.extending + """
                settings:
                  region: { values: { us: The United States., asia: Asia. }, example: asia }

                """
        let reading = SpecReader.read(
            SpecSources(
                own: [SpecFile("landscape.yaml", extending)],
                inherited: [SpecFile("base/landscape.yaml", Self.landscape), SpecFile("base/Web.yaml", ValidSpec.method)]))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        let region = try #require(reading.landscape?.settings?.fields.first { $0.name.value == "region" })
        #expect(region.choices.map(\.value.value) == ["eu", "us", "asia"])
        #expect(region.choices.map(\.summary) == ["Europe.", "The United States.", "Asia."])
        #expect(region.example?.value == "asia")
    }

    @Test func `an extending landscape omits inherited values of a setting`() throws {
        let extending =
            ValidSpec.extending + "settings: { region: { values: { eu: omitted, asia: Asia., mars: Mars. }, example: asia } }\n"
        let reading = SpecReader.read(
            SpecSources(
                own: [SpecFile("landscape.yaml", extending)],
                inherited: [SpecFile("base/landscape.yaml", Self.landscape), SpecFile("base/Web.yaml", ValidSpec.method)]))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        let region = try #require(reading.landscape?.settings?.fields.first { $0.name.value == "region" })
        #expect(region.choices.map(\.value.value) == ["us", "asia", "mars"])
    }

    @Test(arguments: [
        ("Google", ["none", "consent", "select_account"]), ("EntraID", ["none", "login", "consent", "select_account"]),
        ("Okta", ["none", "login", "consent", "select_account", "create"]),
    ])
    func `a product's values of a parameter are the inherited ones without those that it omits`(
        product: String, values: [String]
    ) throws {
        let specs = RealSpecTests.folder.deletingLastPathComponent()
        func paths(_ landscape: String) throws -> [String] {
            let folder = specs.appending(path: landscape)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
            return names.filter { $0.hasSuffix(".yaml") }.sorted().map { folder.appending(path: $0).path(percentEncoded: false) }
        }
        let (sources, unreadable) = SpecSources.load(own: try paths(product), inherited: try paths("OpenIDConnect"))
        let reading = SpecReader.read(sources, unreadable: unreadable)
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        let login = try #require(reading.landscape?.programs.first { $0.name.value == "OpenIDLogin" })
        let prompt = try #require(login.parameters.first { $0.name.value == "prompt" })
        #expect(prompt.choices.map(\.value.value) == values)
    }

    private static let landscape = ValidSpec.landscape.changing(
        "region: { type: string, example: eu,", to: "region: { type: choice, values: { eu: Europe., us: America. }, example: eu,")
}
