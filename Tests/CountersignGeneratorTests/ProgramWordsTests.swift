import CountersignSpec
import TestTurns
import Testing

@testable import CountersignGenerator

/// The words of `countersign explain` and of the pages.
@Suite(.computes) struct ProgramWordsTests {
    private static func program(_ method: String) throws -> ResolvedProgram {
        let sources = SpecSources(
            own: [
                SpecFile(
                    path: "Library/landscape.yaml", bytes: Array("countersign: 2\nlandscape: Library\nsummary: A library.\n".utf8)),
                SpecFile(path: "Library/Reader.yaml", bytes: Array(method.utf8)),
            ], inherited: [])
        let reading = SpecReader.read(sources)
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return try #require(reading.landscape?.programs.first)
    }

    private static func steps(_ method: String) throws -> [String] {
        let program = try program(method)
        return ProgramWords(program, in: .terminal).steps(program.acquire).map(\.words)
    }

    private static let method = """
        countersign: 2
        method: Reader
        summary: A token.
        parameters:
          server: { type: url, summary: The server. }
          password: { type: secret, summary: The password. }
          redirectURL: { type: url, summary: The redirect. }
        challenge:
          - { name: more, status: 403, capture: { scope: { header: X-Scope } } }
        credential:
          fields:
            scope: { type: string, place: store, summary: The scope. }
            token: { type: secret, summary: The token. }
          for: ["{server}"]
        acquire:
          - generate: { state: random }
          - present:
              open: "{server}/page"
              query: { state: "{state}", scope: "{challenge.scope}" }
              push: { to: "{server}/push", client: { id: reader } }
              until: { redirect: "{redirectURL}", verify: { state: "{state}" } }
              answers: [{ query: { code: present }, capture: { code: { query: code } } }]
          - compute:
              salt: { part: "{code}", after: "$" }
              key: { pbkdf2: sha-512, key: "{password}", salt: "{salt}", iterations: 1000 }
          - http:
              send: "POST {server}/token"
              form: { key: "{key}" }
              answers:
                - status: 200
                  capture:
                    token: { json: "", type: secret }
                    scope: { header: X-Scope, optional: true }
          - when: { credential.scope: absent }
            compute: { scope: { value: "{challenge.scope}" } }
        attach:
          - headers: { X-Token: "{credential.token}" }
        update:
          token: { cookie: token }
        rejected:
          - { then: [acquire] }

        """

    @Test func `steps name what they do, and values of one name by their references`() throws {
        let steps = try Self.steps(Self.method)
        #expect(steps.contains { $0.hasSuffix("; its query is pushed to {server}/push before (RFC 9126).") }, "\(steps)")
        #expect(steps.contains("Take 'salt' from {code}."), "\(steps)")
        #expect(steps.contains("Derive the key 'key' by PBKDF2 (RFC 8018, section 5.2)."), "\(steps)")
        #expect(steps.last == "If 'credential.scope' is absent: Compute 'credential.scope'.", "\(steps)")
    }

    @Test func `the credential says which requests carry a part of it`() throws {
        let item = "  - { methods: [POST, PUT], headers: { X-Write: \"{credential.token}\" } }\n"
        let spec = Self.method.replacing("update:\n", with: "\(item)update:\n")
        let words = ProgramWords(try Self.program(spec), in: .terminal).credential
        #expect(words.contains { $0.hasPrefix("in requests: X-Token: ") }, "\(words)")
        #expect(words.contains { $0.hasPrefix("in POST, PUT requests: X-Write: ") }, "\(words)")
    }

    @Test func `the credential says what responses replace`() throws {
        let words = ProgramWords(try Self.program(Self.method), in: .terminal)
        #expect(words.credential.contains("token is replaced by the cookie token of a response"))
    }
}
