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
