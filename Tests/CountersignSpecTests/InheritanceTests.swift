import CountersignSpec
import TestTurns
import Testing

@Suite(.computes) struct InheritanceTests {
    private static func read(_ landscape: String, own: [SpecFile] = [], method: String = ValidSpec.method) -> SpecReading {
        SpecReader.read(SpecSources(extending: ValidSpec.extending + landscape, own: own, method: method))
    }

    private static func expectNoMistakes(_ landscape: String, own: [SpecFile] = []) -> ResolvedLandscape? {
        let reading = read(landscape, own: own)
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return reading.landscape
    }

    @Test func `what is not overridden is inherited, with its place`() throws {
        let landscape = try #require(Self.expectNoMistakes(""))
        #expect(landscape.name.value == "Extending")
        #expect(landscape.documentation.summary == "Differs a little.")
        #expect(landscape.loggingPrefix == "testing")
        #expect(landscape.settings?.name.value == "ExtendingSettings")
        #expect(landscape.serverField == "serverURL")
        #expect(landscape.programMethods.map(\.program.stem) == ["Web"])
        #expect(landscape.programMethods.first?.name.location.file == "base/Web.yaml")
    }

    @Test func `a key of the landscape replaces the inherited one`() throws {
        let landscape = try #require(Self.expectNoMistakes("swift: { logging: mine, imports: [Mine] }\n"))
        #expect(landscape.loggingPrefix == "mine")
        #expect(landscape.imports.map(\.value) == ["Mine"])
    }

    @Test func `an omitted method is left out, and its file name is free`() throws {
        let omitting = try #require(Self.expectNoMistakes("methods: { Web: omitted }\n"))
        #expect(omitting.programMethods.isEmpty)
        #expect(omitting.omittedStems == ["Web"])
        let replacing = try #require(
            Self.expectNoMistakes("methods: { Web: omitted }\n", own: [SpecFile("Web.yaml", ValidSpec.otherMethod)]))
        #expect(replacing.programMethods.map(\.name.value) == ["Other"])
        #expect(replacing.programMethods.map(\.name.location.file) == ["Web.yaml"])
    }

    @Test func `own files add methods`() {
        let landscape = Self.expectNoMistakes("", own: [SpecFile("Other.yaml", ValidSpec.otherMethod)])
        #expect(landscape?.programMethods.map(\.name.location.file) == ["Other.yaml", "base/Web.yaml"])
    }

    @Test func `an inherited enrolment is changed as any method is`() throws {
        let reading = SpecReader.read(
            SpecSources(
                extending: ValidSpec.extending + """
                    methods:
                      Web:
                        parameters:
                          unit: { default: Engines }
                        end:
                          - compute: { pem: { pem: "{credential.identity}" } }
                          - http:
                              send: POST {server}/retire
                              using: session
                              json: { certificate: "{pem}" }
                              answers: [{ status: 204 }]

                    """, own: [], method: ValidSpec.enrolment))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        let method = try #require(reading.landscape?.programMethods.first)
        #expect(method.parameters?.fields.first { $0.name.value == "unit" }?.defaultText?.value == "Engines")
        #expect(method.program.acquire.count == 7)
        #expect(method.program.calls.last?.method == .post)
    }

    @Test func `an omitted enrolment is left out`() throws {
        let reading = SpecReader.read(
            SpecSources(extending: ValidSpec.extending + "methods: { Web: omitted }\n", method: ValidSpec.enrolment))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        let landscape = try #require(reading.landscape)
        #expect(landscape.programMethods.isEmpty)
        #expect(landscape.omittedStems == ["Web"])
    }

    @Test func `mappings are merged, lists and texts replaced`() throws {
        let landscape = Self.expectNoMistakes(
            """
            methods:
              Web:
                summary: Another login.
                parameters:
                  doneURL: { from: "{settings.serverURL}/finished" }
                  headerName: { default: X-Other, configuration: [header] }
                  area: { type: string, default: all, summary: The area. }
                challenge:
                  - name: redirect
                    status: [302, 303]
                    headers: { Location: { prefix: "https://{headerName}.example/{area}" } }
                acquire:
                  - present: { open: "{loginURL}/start", ends-at: "{doneURL}", match: path }
                    failures: { dismissed: cancelled, load: page }
                mock: { user-field: user }

            """)
        let method = try #require(landscape?.programMethods.first)
        let program = method.program
        #expect(program.documentation.summary == "Another login.")
        #expect(program.challenges.map(\.name.value) == ["redirect"])
        let parameters = try #require(method.parameters)
        #expect(parameters.fields.map(\.name.value) == ["loginURL", "doneURL", "headerName", "area"])
        #expect(parameters.fields.compactMap(\.defaultText?.value) == ["X-Other", "all"])
        #expect(parameters.fields[2].type == .header)
        #expect(
            parameters.fromSettings?.map(\.template.text) == [
                "{settings.serverURL}/login", "{settings.serverURL}/finished",
            ])
        #expect(parameters.configuration.map(\.keys) == [["login.url"], ["header"]])
        #expect(program.failures.map(\.errorCase.value).sorted() == ["busy", "cancelled", "invalid"])
        #expect(program.rejections.count == 1)
        let page = try #require(program.pages.first)
        guard case .at(_, match: .path) = page.end, program.acquire.count == 1 else {
            Issue.record("expected one page that ends at an address")
            return
        }
        #expect(page.failures.map(\.errorCase.location.file) == ["landscape.yaml", "landscape.yaml"])
        #expect(method.mock.userField == "user")
        #expect(method.mock.sessionCookie == "id")
    }

    @Test func `an override of a variant leaves the others`() throws {
        let reading = SpecReader.read(
            SpecSources(
                extending: ValidSpec.extending
                    + "methods: { Web: { variants: { service: { parameters: { name: { example: robot } } } } } }\n",
                method: ValidSpec.variants))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        let grants = try #require(reading.landscape?.programMethods.first?.grants)
        #expect(grants.map(\.name.value) == ["code", "ticket", "service"])
        #expect(grants[2].parameters.fields.first { $0.name.value == "name" }?.example?.value == "robot")
        #expect(grants[2].parameters.fields.count == 4)
    }

    @Test func `an override may do without inherited parameters and errors`() {
        _ = Self.expectNoMistakes(
            """
            methods:
              Web:
                challenge: [{ name: redirect, status: 303 }]
                rejected: [{ then: [acquire], error: cancelled }]

            """)
    }

    @Test func `a message about an inherited value points at both places`() {
        let reading = Self.read("", method: ValidSpec.method.changing("busy: busy", to: "busy: bussy"))
        #expect(
            DiagnosticRenderer().text(reading.diagnostics) == """
                base/Web.yaml:21:46: error: 'WebError' has no case 'bussy'; did you mean 'busy'? [CS0404]
                landscape.yaml:4:10: note: inherited here

                """)
    }

    @Test func `a message about an overriding value points at both places`() {
        let reading = Self.read("methods:\n  Web:\n    failures: { busy: bussy }\n")
        #expect(
            DiagnosticRenderer().text(reading.diagnostics) == """
                landscape.yaml:7:23: error: 'WebError' has no case 'bussy'; did you mean 'busy'? [CS0404]
                base/Web.yaml:21:40: note: overrides the inherited value here

                """)
    }

    @Test func `a message within a replaced list points at both places`() {
        let reading = Self.read(
            "methods:\n  Web:\n    challenge:\n      - name: a\n        status: 401\n        headers: { X-A: \"b {heder}\" }\n")
        #expect(
            DiagnosticRenderer().text(reading.diagnostics) == """
                landscape.yaml:10:29: error: there is no parameter 'heder'; there are 'loginURL', 'doneURL', \
                'headerName' [CS0402]
                base/Web.yaml:8:1: note: overrides the inherited value here

                """)
    }

    @Test func `an override that fits only the inherited settings gets a message`() {
        let reading = Self.read(
            """
            settings:
              baseURL: { type: url, summary: The server. }
            server: baseURL
            swift: { settings: OwnSettings }

            """)
        #expect(reading.diagnostics.map(\.code) == [.unknownReference, .unknownReference])
        #expect(reading.diagnostics.allSatisfy { $0.notes.map(\.message) == ["inherited here"] })
    }

    @Test func `settings of another name replace the inherited ones, and their server`() throws {
        let landscape = try #require(
            Self.expectNoMistakes(
                """
                settings:
                  baseURL: { type: url, summary: The server. }
                server: baseURL
                swift: { settings: OwnSettings }
                methods: { Web: omitted }

                """))
        #expect(landscape.settings?.name.value == "OwnSettings")
        #expect(landscape.settings?.fields.map(\.name.value) == ["baseURL"])
        #expect(landscape.serverField == "baseURL")
        #expect(landscape.loggingPrefix == "testing")
    }

    @Test func `settings of the same name are added to`() throws {
        let landscape = try #require(
            Self.expectNoMistakes("settings: { area: { type: string, example: a, summary: The area. } }\n"))
        #expect(landscape.settings?.fields.map(\.name.value) == ["serverURL", "region", "tenant", "apiKey", "area"])
        #expect(landscape.serverField == "serverURL")
    }

    @Test func `an inherited group of overlaps may name a method that is omitted`() {
        let sources = SpecSources(
            own: [SpecFile("landscape.yaml", ValidSpec.extending + "methods: { Other: omitted }\n")],
            inherited: [
                SpecFile("base/landscape.yaml", ValidSpec.landscape + "overlaps: [[Web, Other]]\n"),
                SpecFile("base/Other.yaml", ValidSpec.otherMethod), SpecFile("base/Web.yaml", ValidSpec.method),
            ])
        #expect(SpecReader.read(sources).diagnostics.isEmpty)
        var own = sources
        own.own[0] = SpecFile(
            "landscape.yaml", ValidSpec.extending + "methods: { Other: omitted }\noverlaps: [[Web, Other]]\n")
        #expect(SpecReader.read(own).diagnostics.map(\.code) == [.unknownReference])
    }

    @Test func `a mistake that an override corrects is none`() {
        let reading = Self.read(
            "methods: { Web: { failures: { busy: busy } } }\n", method: ValidSpec.method.changing("busy: busy", to: "busy: bussy"))
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
                landscape.yaml:4:10: error: there is no landscape 'Testing'; add the target that contains it to the target's \
                dependencies [CS0701]

                """)
    }
}
