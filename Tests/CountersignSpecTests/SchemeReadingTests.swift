import CountersignSpec
import TestTurns
import Testing

/// What a challenge says of authentication schemes.
@Suite(.takesTurns) struct SchemeReadingTests {
    private static func schemes(_ lines: String) throws -> [ResolvedScheme] {
        let method = ValidSpec.method.changing("status: 401\n", to: "status: 401\n    \(lines)\n")
        let reading = SpecReader.read(SpecSources(method: method))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return try #require(reading.landscape?.methods.first?.challenges.first?.schemes)
    }

    private static func texts(_ schemes: [ResolvedScheme]) -> [String] {
        schemes.map { scheme in
            let parameters = scheme.parameters.map { parameter in
                switch parameter.match {
                case .present: "\(parameter.name.value) present"
                case .equals(let text): "\(parameter.name.value) equals \(text.text)"
                case .prefix(let text): "\(parameter.name.value) prefix \(text.text)"
                case .contains(let text): "\(parameter.name.value) contains \(text.text)"
                }
            }
            return ([scheme.field.rawValue, scheme.name.value] + parameters).joined(separator: ", ")
        }
    }

    @Test func `a challenge need not name a scheme`() throws {
        #expect(try Self.schemes("").isEmpty)
    }

    @Test(arguments: ["www-authenticate: Bearer", "www-authenticate: { scheme: Bearer }"])
    func `a text is the short form of scheme`(_ line: String) throws {
        let schemes = try Self.schemes(line)
        #expect(Self.texts(schemes) == ["www-authenticate, Bearer"])
        #expect(schemes.first?.name.location.line == 20)
    }

    @Test func `the schemes of servers and proxies can stand together`() throws {
        #expect(
            try Self.texts(Self.schemes("proxy-authenticate: Basic\n    www-authenticate: Bearer"))
                == ["www-authenticate, Bearer", "proxy-authenticate, Basic"])
    }

    @Test func `parameters are matched as header fields are`() throws {
        let schemes = try Self.schemes(
            """
            www-authenticate:
                  scheme: Digest
                  parameters:
                    realm: "a {headerName}"
                    algorithm: { equals: SHA-256 }
                    nonce: { prefix: b }
                    qop: { contains: auth }
                    opaque: { present: true }
            """)
        #expect(
            Self.texts(schemes) == [
                """
                www-authenticate, Digest, realm equals a {headerName}, algorithm equals SHA-256, nonce prefix b, qop contains auth, \
                opaque present
                """
            ])
        guard case .equals(let template)? = schemes.first?.parameters.first?.match else {
            Issue.record("expected equals")
            return
        }
        #expect(template.pieces == [.text("a "), .parameter("headerName", .header)])
        #expect(template.location.line == 23)
    }

    @Test func `a parameter that only a scheme refers to is used`() {
        let method = ValidSpec.method
            .changing("headerName: {", to: "realm: { type: string, default: a, summary: Realm. }\n      headerName: {")
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
        let challenges = try #require(read("{ scheme: Bearer, parameters: { error: a } }").landscape?.methods.first?.challenges)
        #expect(challenges.map(\.name.value) == ["a"] && challenges.allSatisfy(\.fields.isEmpty))
        #expect(Self.texts(challenges.flatMap(\.schemes)) == ["www-authenticate, Bearer, error equals a"])
        #expect(
            DiagnosticRenderer().text(read("Bear er").diagnostics) == """
                landscape.yaml:7:59: error: 'www-authenticate' is a token of RFC 9110: letters, digits and !#$%&'*+-.^_`|~, not \
                'Bear er' [CS0206]
                base/Web.yaml:17:1: note: overrides the inherited value here

                """)
    }
}
