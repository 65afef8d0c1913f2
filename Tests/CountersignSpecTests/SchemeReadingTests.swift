import CountersignSpec
import TestTurns
import Testing

/// The authentication schemes of a challenge.
@Suite(.computes) struct SchemeReadingTests {
    private static func program(_ lines: String) throws -> ResolvedProgram {
        let method = ValidSpec.method.changing("status: 401\n", to: "status: 401\n    \(lines)\n")
        let reading = SpecReader.read(SpecSources(method: method))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return try #require(reading.landscape?.programMethods.first?.program)
    }

    private static func texts(_ program: ResolvedProgram) -> [String] {
        func text(_ template: ResolvedProgram.Template) -> String {
            template.pieces.map { piece in
                switch piece {
                case .text(let text): text
                case .slot(let slot): "{\(program.slots[slot].name.value)}"
                case .requestOrigin, .request, .computed: "{request.url.origin}"
                }
            }.joined()
        }
        return program.challenges.flatMap(\.schemes).map { scheme in
            let parameters = scheme.parameters.map { parameter in
                switch parameter.match {
                case .present: "\(text(parameter.name)) present"
                case .absent: "\(text(parameter.name)) absent"
                case .equals(let template): "\(text(parameter.name)) equals \(text(template))"
                case .prefix(let template): "\(text(parameter.name)) prefix \(text(template))"
                case .contains(let template): "\(text(parameter.name)) contains \(text(template))"
                case .anyCase(let template): "\(text(parameter.name)) in any case \(text(template))"
                }
            }
            return ([scheme.field.rawValue, scheme.name] + parameters).joined(separator: ", ")
        }
    }

    @Test func `a challenge need not name a scheme`() throws {
        #expect(try Self.texts(Self.program("")).isEmpty)
    }

    @Test(arguments: ["www-authenticate: Bearer", "www-authenticate: { scheme: Bearer }"])
    func `a text is the short form of scheme`(_ line: String) throws {
        #expect(try Self.texts(Self.program(line)) == ["www-authenticate, Bearer"])
    }

    @Test func `the schemes of servers and proxies can stand together`() throws {
        #expect(
            try Self.texts(Self.program("proxy-authenticate: Basic\n    www-authenticate: Bearer"))
                == ["www-authenticate, Bearer", "proxy-authenticate, Basic"])
    }

    @Test func `parameters are matched as header fields are`() throws {
        let program = try Self.program(
            """
            www-authenticate:
                  scheme: Digest
                  parameters:
                    realm: "a {headerName}"
                    algorithm: SHA-256
                    nonce: { prefix: b }
                    qop: { contains: auth }
                    opaque: present
            """)
        #expect(
            Self.texts(program) == [
                """
                www-authenticate, Digest, realm equals a {headerName}, algorithm equals SHA-256, nonce prefix b, qop contains auth, \
                opaque present
                """
            ])
    }

    @Test func `a parameter that only a scheme refers to is used`() {
        let method = ValidSpec.method
            .changing("  headerName: {", to: "  realm: { type: string, default: a, summary: Realm. }\n  headerName: {")
            .changing(
                "status: 401", to: "status: 401\n    www-authenticate: { scheme: Bearer, parameters: { realm: \"{realm}\" } }")
        #expect(SpecReader.read(SpecSources(method: method)).diagnostics.isEmpty)
    }

    @Test func `an override replaces the challenges, and a mistake in it points at both places`() throws {
        func read(_ scheme: String) -> SpecReading {
            SpecReader.read(
                SpecSources(
                    extending: ValidSpec.extending
                        + "methods:\n  Web:\n    challenge: [{ name: a, status: 401, www-authenticate: \(scheme) }]\n"))
        }
        let program = try #require(
            read("{ scheme: Bearer, parameters: { error: a } }").landscape?.programMethods.first?.program)
        #expect(program.challenges.map(\.name.value) == ["a"] && program.challenges.allSatisfy(\.headers.isEmpty))
        #expect(Self.texts(program) == ["www-authenticate, Bearer, error equals a"])
        #expect(
            DiagnosticRenderer().text(read("Bear er").diagnostics) == """
                landscape.yaml:7:59: error: 'www-authenticate' is a token of RFC 9110: letters, digits and !#$%&'*+-.^_`|~, not \
                'Bear er' [CS0206]
                base/Web.yaml:8:1: note: overrides the inherited value here

                """)
    }
}
