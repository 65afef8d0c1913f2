import CountersignSpec
import TestTurns
import Testing

/// The keys of a landscape that override those of the landscape that it extends.
@Suite(.takesTurns) struct `Overlays of a landscape` {
    private static let base =
        ValidSpec.landscape.changing("logging: testing", to: "logging: testing, conforms: { errors: [Odd], parameters: [Even] }")
        + ValidSpec.operations + """
              ping:
                summary: Asks whether the server is there.
                versions:
                  v1:
                    summary: Asks.
                    steps: [{ http: { send: "GET {settings.serverURL}/ping", answers: [{ status: 200 }] } }]

            """

    private static func read(_ overlay: String) -> SpecReading {
        SpecReader.read(
            SpecSources(
                own: [SpecFile("landscape.yaml", ValidSpec.extending + overlay)],
                inherited: [SpecFile("base/landscape.yaml", base), SpecFile("base/Web.yaml", ValidSpec.method)]))
    }

    private static func landscape(_ overlay: String) throws -> ResolvedLandscape {
        let reading = read(overlay)
        return try #require(reading.landscape, "\(DiagnosticRenderer().text(reading.diagnostics))")
    }

    @Test func `an operation of its own stands beside the inherited ones`() throws {
        let landscape = try Self.landscape(
            """
            operations:
              forget:
                summary: Forgets.
                versions:
                  v1:
                    summary: Forgets.
                    steps: [{ http: { send: "DELETE {settings.serverURL}/me", answers: [{ status: 204 }] } }]

            """)
        #expect(landscape.operations.map(\.name.value).sorted() == ["forget", "logout", "ping"])
    }

    @Test func `an operation can be changed in one key`() throws {
        let landscape = try Self.landscape("operations: { logout: { versions: { v1: { summary: Says goodbye. } } } }\n")
        let logout = try #require(landscape.operations.first { $0.name.value == "logout" })
        let program = try #require(logout.versions.first?.program)
        #expect(program.documentation.summary == "Says goodbye.")
        #expect(program.calls.map(\.method) == [.post])
        #expect(logout.ends == .userSession)
    }

    @Test func `other steps take the place of the inherited ones`() throws {
        let steps = "[{ http: { send: \"DELETE {settings.serverURL}/session\", answers: [{ status: [204, 404] }] } }]"
        let landscape = try Self.landscape("operations: { logout: { versions: { v1: { steps: \(steps) } } } }\n")
        let program = try #require(landscape.operations.first { $0.name.value == "logout" }?.versions.first?.program)
        #expect(program.calls.map(\.method) == [.delete])
        #expect(program.calls.flatMap(\.answers).map(\.pattern.statuses) == [[204, 404]])
        #expect(program.documentation.summary == "Ends the session.")
    }

    @Test func `an operation can be left out`() throws {
        let landscape = try Self.landscape("operations: { ping: omitted }\n")
        #expect(landscape.operations.map(\.name.value) == ["logout"])
    }

    @Test func `all operations can be left out`() throws {
        let landscape = try Self.landscape("operations: { ping: omitted, logout: omitted }\n")
        #expect(landscape.operations.isEmpty)
    }

    @Test func `a step of an operation can be changed by its name`() throws {
        let base = ValidSpec.coreLandscape + ValidSpec.question.changing("- http:", to: "- name: question\n            http:")
        let steps = "{ question: { http: { headers: { X-Other: more } } } }"
        let reading = SpecReader.read(
            SpecSources(
                own: [
                    SpecFile(
                        "landscape.yaml",
                        ValidSpec.extending + "operations: { ask: { versions: { usual: { steps: \(steps) } } } }\n")
                ],
                inherited: [SpecFile("base/landscape.yaml", base), SpecFile("base/Web.yaml", ValidSpec.echo)]))
        let ask = try #require(reading.landscape?.operations.first, "\(DiagnosticRenderer().text(reading.diagnostics))")
        #expect(ask.versions.first?.program.calls.first?.headers.count == 2)
    }

    @Test func `a setting can be changed and added`() throws {
        let landscape = try Self.landscape(
            """
            settings:
              region: { example: us }
              cluster: { type: string, optional: true, summary: The cluster. }

            """)
        let settings = try #require(landscape.settings)
        #expect(settings.fields.map(\.name.value) == ["serverURL", "region", "tenant", "apiKey", "cluster"])
        #expect(settings.fields.first { $0.name.value == "region" }?.example?.value == "us")
        #expect(landscape.serverField == "serverURL")
    }

    @Test func `conformances are changed one by one, and lists are replaced`() throws {
        let landscape = try Self.landscape("swift: { conforms: { errors: [Mine] } }\n")
        #expect(landscape.conformances.errors == ["Mine"])
        #expect(landscape.conformances.parameters == ["Even"])
    }

    @Test func `challenges are changed by their names, taken away, and put before the others and behind them`() throws {
        let landscape = try Self.landscape(
            """
            methods:
              Web:
                challenge:
                  prepend: [{ name: first, status: 418 }]
                  login: { status: 403 }
                  append: [{ name: last, status: 419 }]

            """)
        let base = try Self.landscape("")
        let names = base.programMethods.flatMap(\.program.challenges).map(\.name.value)
        let challenges = landscape.programMethods.flatMap(\.program.challenges)
        #expect(challenges.map(\.name.value) == ["first"] + names + ["last"])
        #expect(challenges.first { $0.name.value == "login" }?.statuses == [403])
        let fewer = try Self.landscape(
            "methods: { Web: { challenge: { prepend: [{ name: first, status: 418 }], login: omitted } } }\n")
        #expect(fewer.programMethods.flatMap(\.program.challenges).map(\.name.value) == ["first"])
    }

    @Test func `inherited entries of mappings by names are taken away`() throws {
        let landscape = try Self.landscape(
            """
            methods:
              Web:
                parameters: { headerName: omitted }
                challenge: { login: { headers: { "{headerName}": omitted, X-Login: required } } }

            """)
        let program = try #require(landscape.programMethods.first?.program)
        #expect(!program.slots.map(\.name.value).contains("headerName"))
        #expect(program.challenges.map(\.headers.count) == [1])
    }

    @Test func `an inherited mark or condition stays where an override gives the value`() {
        let override = "methods: { Web: { parameters: { tenant: { optional: false, default: main } } } }\n"
        let reading = SpecReader.read(
            SpecSources(
                own: [SpecFile("landscape.yaml", ValidSpec.extending + override)],
                inherited: [
                    SpecFile("base/landscape.yaml", ValidSpec.coreLandscape), SpecFile("base/Web.yaml", ValidSpec.program),
                ]))
        #expect(DiagnosticRenderer().text(reading.diagnostics).isEmpty)
        #expect(reading.landscape != nil)
    }

    /// Reads a landscape that overrides a method.
    private static func read(_ override: String, of method: String) -> SpecReading {
        SpecReader.read(
            SpecSources(
                own: [SpecFile("landscape.yaml", ValidSpec.extending + "methods: { Web: \(override) }\n")],
                inherited: [SpecFile("base/landscape.yaml", ValidSpec.coreLandscape), SpecFile("base/Web.yaml", method)]))
    }

    private static func program(_ override: String, of method: String) throws -> ResolvedProgram {
        let reading = read(override, of: method)
        let text = DiagnosticRenderer().text(reading.diagnostics)
        #expect(text.isEmpty)
        return try #require(reading.landscape?.programs.first, "\(text)")
    }

    @Test func `an inherited step runs always or never where an override gives the value`() throws {
        let method = ValidSpec.calls
            .changing(
                "acquire:\n",
                to: """
                    acquire:
                      - when: { mirror: absent }
                        compute: { place: { join: ["{area}", "{challenge.scope?}"] } }
                      - when: { mirror: present }
                        compute: { other: { join: ["{area}"] } }

                    """
            )
            .changing("form: { area: \"{area}\" }", to: "form: { area: \"{area}\", place: \"{place?}\", other: \"{other?}\" }")
        let override = "{ parameters: { mirror: { optional: false, default: \"https://mirror.example\" } } }"
        let program = try Self.program(override, of: method)
        #expect(program.acquire.map { $0.conditions.map(\.isPresent) } == [[false], [true], [], [], []])
        #expect(try Self.program("{ summary: A token. }", of: method).acquire.count == program.acquire.count)
    }

    @Test func `inherited steps are never repeated where an override gives the value`() throws {
        let method = ValidSpec.calls
            .changing(
                "acquire:\n",
                to: """
                    acquire:
                      - when: { mirror: absent }
                        compute: { hint: { join: ["{area}"] } }
                      - repeat:
                          while: { mirror: absent, hint: present }
                          steps:
                            - http:
                                send: "GET {endpoint}/next"
                                query: { hint: "{hint}" }
                                answers:
                                  - { status: 200, capture: { hint: { json: /next } } }
                                  - { status: 204 }

                    """
            )
            .changing("form: { area: \"{area}\" }", to: "form: { area: \"{area}\", hint: \"{hint?}\" }")
        let override = "{ parameters: { mirror: { optional: false, default: \"https://mirror.example\" } } }"
        #expect(try Self.program(override, of: method).acquire.count == 5)
        #expect(try Self.program("{ summary: A token. }", of: method).acquire.count == 5)
    }

    @Test func `a default for an optional parameter needs a word`() {
        let override = "{ parameters: { mirror: { default: \"https://mirror.example\" } } }"
        let reading = Self.read(override, of: ValidSpec.calls)
        #expect(
            reading.diagnostics.map(\.message) == [
                "the inherited 'mirror' is optional; write 'optional: false' beside its default"
            ])
        #expect(reading.diagnostics.first?.location.file == "landscape.yaml")
    }

    @Test func `what inherited steps use of replaced challenges is named`() {
        let reading = Self.read("{ challenge: [{ name: other, status: 402 }] }", of: ValidSpec.program)
        let mistakes = reading.diagnostics.filter { $0.code == .unknownReference }
        let end =
            ", which the challenges in place of the inherited ones lack; "
            + "to keep those, write the new ones under 'append' or 'prepend'"
        let parts = ["'{challenge.nonce}'", "'{challenge.realm}'", "the challenge 'stale'"]
        #expect(Set(mistakes.map(\.message)) == Set(parts.map { "the inherited method uses \($0)\(end)" }))
        for mistake in mistakes {
            #expect(mistake.notes.contains { $0.message == "the inherited challenges are replaced here" })
        }
        let condition = ValidSpec.calls.changing("  - prompt:", to: "  - when: { challenge.scope: present }\n    prompt:")
        let other = Self.read("{ challenge: [{ name: other, status: 402 }] }", of: condition)
        #expect(other.diagnostics.contains { $0.message == "the inherited method uses 'challenge.scope'\(end)" })
    }

    @Test func `inherited optional keys with mappings and lists are taken away`() throws {
        let method = ValidSpec.calls
            .changing("  - http:\n      send: \"POST", to: "  - name: ticket\n    http:\n      send: \"POST")
        let override = "{ acquire: { ticket: { http: { sign: omitted, headers: omitted } } }, rejected: omitted }"
        let program = try Self.program(override, of: method)
        #expect(program.calls.first?.login == nil && program.calls.first?.headers.isEmpty == true)
        #expect(program.calls.first?.body != nil && program.rejections.isEmpty)
        let inherited = try Self.program("{ summary: A token. }", of: method)
        #expect(inherited.calls.first?.login != nil && inherited.rejections.count == 1)
    }

    @Test(arguments: ["{ credential: omitted }", "{ acquire: { ticket: { http: omitted } } }"])
    func `an inherited key that is required is not taken away`(_ override: String) {
        let method = ValidSpec.calls
            .changing("  - http:\n      send: \"POST", to: "  - name: ticket\n    http:\n      send: \"POST")
        #expect(Self.read(override, of: method).diagnostics.map(\.code).contains(.wrongShape))
    }

    @Test func `an answer of a page is changed by its name`() throws {
        let method = ValidSpec.pages
            .changing("  - present:", to: "  - name: page\n    present:")
            .changing("- { query: { code: present },", to: "- { name: code, query: { code: present },")
            .changing("form: { code:", to: "form: { realm: \"{realm?}\", code:")
            .changing(
                "{ code: { query: code, type: secret } }",
                to: "{ code: { query: code, type: secret }, realm: { query: realm, optional: true } }")
        let override = "{ acquire: { page: { present: { answers: { code: { capture: { realm: { query: realmId } } } } } } } }"
        let page = try #require(try Self.program(override, of: method).pages.first)
        guard case .redirect(_, _, let answers) = page.end else {
            Issue.record("the page has another end")
            return
        }
        #expect(answers.map { $0.pattern.captures.map(\.source) } == [[], [.query("code"), .query("realmId")]])
    }

    @Test func `a slip in omitted is one mistake`() {
        #expect(Self.read("operations: { ping: omited }\n").diagnostics.map(\.code) == [.unknownWord])
    }

    @Test func `a mistake in an overlay is reported in the overlay`() {
        let reading = Self.read("operations: { logout: { ends: everything } }\n")
        #expect(
            DiagnosticRenderer().text(reading.diagnostics) == """
                landscape.yaml:5:31: error: 'ends' is one of 'nothing', 'user-session', not 'everything' [CS0205]
                base/landscape.yaml:14:5: note: overrides the inherited value here

                """)
    }
}
