import CountersignSpec
import TestTurns
import Testing

@Suite(.takesTurns) struct InheritanceTests {
    private static func read(_ landscape: String, own: [SpecFile] = [], method: String = ValidSpec.method) -> SpecReading {
        SpecReader.read(SpecSources(extending: ValidSpec.extending + landscape, own: own, method: method))
    }

    private static func expectNoMistakes(_ landscape: String, own: [SpecFile] = []) -> ResolvedLandscape? {
        let reading = read(landscape, own: own)
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return reading.landscape
    }

    @Test func `what is not overridden is inherited, with its origin`() throws {
        let landscape = try #require(Self.expectNoMistakes(""))
        #expect(landscape.name.value == "Extending")
        #expect(landscape.documentation.summary == "Differs a little.")
        #expect(landscape.loggingPrefix == "testing")
        #expect(landscape.settings?.name.value == "TestingSettings")
        #expect(landscape.serverField == "serverURL")
        #expect(landscape.methods.map(\.origin) == ["Testing/Web.yaml"])
        #expect(landscape.methods.first?.name.location.file == "base/Web.yaml")
    }

    @Test func `a key of the landscape replaces the inherited one`() throws {
        let landscape = try #require(Self.expectNoMistakes("logging: mine\nimports: [Mine]\n"))
        #expect(landscape.loggingPrefix == "mine")
        #expect(landscape.imports.map(\.value) == ["Mine"])
    }

    @Test func `an omitted method is left out, and its file name is free`() throws {
        let omitting = try #require(Self.expectNoMistakes("methods: { Web: omitted }\n"))
        #expect(omitting.methods.isEmpty)
        #expect(omitting.omittedStems == ["Web"])
        let replacing = try #require(
            Self.expectNoMistakes("methods: { Web: omitted }\n", own: [SpecFile("Web.yaml", ValidSpec.otherMethod)]))
        #expect(replacing.methods.map(\.name.value) == ["Other"])
        #expect(replacing.methods.map(\.origin) == ["Extending/Web.yaml"])
    }

    @Test func `own files add methods`() {
        let landscape = Self.expectNoMistakes("", own: [SpecFile("Other.yaml", ValidSpec.otherMethod)])
        #expect(landscape?.methods.map(\.origin) == ["Extending/Other.yaml", "Testing/Web.yaml"])
    }

    @Test func `an inherited discovery is changed as a method is`() throws {
        let reading = SpecReader.read(
            SpecSources(
                extending: ValidSpec.extending + """
                    methods:
                      Web:
                        bearer: token
                        parameters:
                          EnrolmentParameters:
                            fields:
                              unit: { default: Engines }
                        retire:
                          - call: { post: "{server}/retire", json: { serial: "{identity.serial_number}" } }

                    """, own: [], method: ValidSpec.enrolment))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        let discovery = try #require(reading.landscape?.discoveries.first)
        #expect(discovery.origin == "Testing/Web.yaml")
        #expect(discovery.bearer?.value == "token")
        #expect(discovery.parameters.fields.first { $0.name.value == "unit" }?.defaultText?.value == "Engines")
        #expect(discovery.obtain.count == 6)
        guard case .call(let call)? = discovery.retire.first?.action else {
            Issue.record("no call")
            return
        }
        #expect(call.method == .post)
    }

    @Test func `a key of a discovery in a method's override is a mistake`() {
        let reading = Self.read("methods: { Web: { bearer: token } }\n")
        #expect(reading.diagnostics.map(\.code) == [.unknownKey])
    }

    @Test func `mappings are merged, lists and texts replaced`() throws {
        let landscape = Self.expectNoMistakes(
            """
            methods:
              Web:
                summary: Another login.
                challenge:
                  - name: redirect
                    status: [302, 303]
                    headers: { Location: { prefix: "https://{headerName}.example/" } }
                parameters:
                  WebParameters:
                    fields:
                      headerName: { default: X-Other }
                    from:
                      settings:
                        doneURL: "{settings.serverURL}/finished"
                    configuration:
                      headerName: [header]
                flow:
                  authenticate:
                    - present: { url: "{loginURL}?a=b", finish: { at: "{doneURL}", match: path } }
                      fails: { dismissed: cancelled, load: page }
                mock: { user-field: user }

            """)
        let method = try #require(landscape?.methods.first)
        #expect(method.documentation.summary == "Another login.")
        #expect(method.challenges.map(\.name.value) == ["redirect"])
        #expect(method.parameters?.documentation.summary == "What a login needs.")
        #expect(method.parameters?.fields.compactMap(\.defaultText?.value) == ["X-Other"])
        #expect(method.parameters?.fields.last?.type == .header)
        #expect(
            method.parameters?.fromSettings?.map(\.template.text) == [
                "{settings.serverURL}/login", "{settings.serverURL}/finished",
            ])
        #expect(method.parameters?.configuration.map(\.keys) == [["login.url"], ["header"]])
        #expect(method.busy?.value == "busy")
        #expect(method.afterResend.count == 1)
        guard case .present(let step)? = method.authenticate.first, method.authenticate.count == 1 else {
            Issue.record("expected one present step")
            return
        }
        #expect(step.match == .path)
        #expect(step.url.location.file == "landscape.yaml")
        #expect(method.mock.userField == "user")
        #expect(method.mock.sessionCookie == "id")
    }

    @Test func `an override may do without inherited parameters and errors`() {
        _ = Self.expectNoMistakes(
            """
            methods:
              Web:
                challenge: [{ name: redirect, status: 303 }]
                flow: { after-resend: [{ fail: cancelled }] }

            """)
    }

    @Test func `a message about an inherited value points at both places`() {
        let reading = Self.read("", method: ValidSpec.method.changing("busy: busy", to: "busy: bussy"))
        #expect(
            DiagnosticRenderer().text(reading.diagnostics) == """
                base/Web.yaml:24:9: error: 'WebError' has no case 'bussy'; did you mean 'busy'? [CS0404]
                landscape.yaml:4:10: note: inherited here

                """)
    }

    @Test func `a message about an overriding value points at both places`() {
        let reading = Self.read("methods:\n  Web:\n    flow: { busy: bussy }\n")
        #expect(
            DiagnosticRenderer().text(reading.diagnostics) == """
                landscape.yaml:7:19: error: 'WebError' has no case 'bussy'; did you mean 'busy'? [CS0404]
                base/Web.yaml:24:3: note: overrides the inherited value here

                """)
    }

    @Test func `a message within a replaced list points at both places`() {
        let reading = Self.read(
            "methods:\n  Web:\n    challenge:\n      - name: a\n        status: 401\n        headers: { X-A: \"b {heder}\" }\n")
        #expect(
            DiagnosticRenderer().text(reading.diagnostics) == """
                landscape.yaml:10:29: error: the parameters have no field 'heder'; there are 'loginURL', \
                'doneURL', 'headerName' [CS0402]
                base/Web.yaml:17:1: note: overrides the inherited value here

                """)
    }

    @Test func `an override that fits only the inherited settings is told so`() {
        let settings = """
            settings:
              OwnSettings:
                summary: Own.
                fields:
                  baseURL: { type: url, summary: The server. }
                server: baseURL

            """
        let reading = Self.read(settings)
        #expect(reading.diagnostics.map(\.code) == [.unknownReference, .unknownReference])
        #expect(reading.diagnostics.allSatisfy { $0.notes.map(\.message) == ["inherited here"] })
    }

    @Test func `a mistake that an override mends is none`() {
        let reading = Self.read(
            "methods: { Web: { flow: { busy: busy } } }\n", method: ValidSpec.method.changing("busy: busy", to: "busy: bussy"))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
    }

    @Test func `without extends, inherited files are not looked at`() {
        var sources = SpecSources()
        sources.inherited = [SpecFile("base/landscape.yaml", "{")]
        #expect(SpecReader.read(sources).diagnostics.isEmpty)
    }

    @Test func `a landscape that is not there is said with what to do`() {
        let reading = SpecReader.read(SpecSources(own: [SpecFile("landscape.yaml", ValidSpec.extending)]))
        #expect(
            DiagnosticRenderer().text(reading.diagnostics) == """
                landscape.yaml:4:10: error: the landscape 'Testing' is not there; add the target that holds it to the target's \
                dependencies [CS0701]

                """)
    }
}
