import Foundation
import TestTurns
import Testing

@testable import CountersignSpec

/// Fields that responses replace, and functions that use the results of others in the same step.
@Suite(.computes) struct ProgramUpdateTests {
    private static let spec = """
        countersign: 2
        method: Web
        summary: A session.
        parameters:
          server: { type: url, summary: The server. }
          password: { type: secret, summary: The password. }
        challenge:
          - { name: ended, status: 403, capture: { id: { header: X-Id } } }
        credential:
          fields:
            id: { type: string, from: "{challenge.id}", summary: The identifier. }
            name: { type: string, summary: The name of the header field. }
            token: { type: secret, summary: The token. }
            former: { type: secret, place: store, summary: The first token. }
          for: ["{server}"]
        acquire:
          - when: { before.token: present }
            compute: { former: { value: "{before.token}" } }
          - when: { credential.former: absent }
            compute:
              former: { pbkdf2: sha-256, key: "{password}", salt: a, iterations: 1000 }
              proof: { hash: sha-256, of: "{password}" }
              other: { hash: sha-512, of: "{proof}", of-as: hex }
          - http:
              send: "POST {server}/login"
              json: { proof: "{other?}", former: "{credential.former}" }
              answers:
                - status: 200
                  capture: { name: { json: /name }, token: { json: "", type: secret } }
        attach:
          - headers: { X-Id: "{credential.id}", "{credential.name}": "{credential.token}" }
        update:
          token: { header: [X-Next, X-Token] }
        rejected:
          - { then: [acquire] }

        """

    private static func read(_ spec: String) -> SpecReading { SpecReader.read(SpecSources(program: spec)) }

    @Test func `a function uses the values before it, and one that ends the step's condition comes last`() throws {
        let reading = Self.read(Self.spec)
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        let program = try #require(reading.landscape?.programs.first)
        let names = program.acquire.compactMap { step in step.computed.map { program.slots[$0.slot].name.value } }
        #expect(names == ["former", "proof", "other", "former"])
        #expect(program.updates == [.init(slot: 5, source: .headers(["X-Next", "X-Token"]))])
    }

    /// The method with other steps before its request.
    private static func program(_ steps: String) throws -> ResolvedProgram {
        let start = try #require(spec.range(of: "acquire:\n"))
        let end = try #require(spec.range(of: "  - http:\n"))
        let text = spec.replacingCharacters(in: start.upperBound..<end.lowerBound, with: steps)
        let reading = read(text.replacingOccurrences(of: "{other?}", with: "{proof?}"))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return try #require(reading.landscape?.programs.first)
    }

    @Test func `a function that can make a value of the step's condition absent comes last`() throws {
        let program = try Self.program(
            """
              - compute:
                  former: { hash: sha-256, of: "{password}" }
                  isOpen: { same: [a, "{challenge.id}"] }
              - repeat:
                  while: { isOpen: "true" }
                  limit: 2
                  steps:
                    - compute: { isNext: { same: [b, "{challenge.id}"] } }
                    - when: { isNext: "true" }
                      compute:
                        isNext: { same: [c, "{challenge.id}"] }
                        proof: { hash: sha-256, of: "{password}" }
                    - compute: { isOpen: { same: [d, "{challenge.id}"] } }

            """)
        let steps = program.acquire.flatMap(\.all).compactMap(\.computed)
        #expect(steps.map { program.slots[$0.slot].name.value } == ["former", "isOpen", "isNext", "proof", "isNext", "isOpen"])
    }

    @Test func `a generated value that must be absent comes last`() throws {
        let program = try Self.program(
            """
              - when: { before.token: present }
                generate: { nonce: random }
              - when: { nonce: absent }
                generate: { nonce: random, salt: random }
              - compute: { former: { join: ["{nonce}", "{password}"], as: hex } }
              - when: { salt: present }
                compute: { proof: { join: ["{salt}", "{password}"], as: hex } }

            """)
        let steps = program.acquire.compactMap(\.computed)
        #expect(steps.map { program.slots[$0.slot].name.value } == ["nonce", "salt", "nonce", "former", "proof"])
    }

    @Test(arguments: [
        (
            "other: { hash: sha-512, of: \"{proof}\", of-as: hex }", "other: { hash: sha-512, of: \"{credential.former}\" }",
            "'former' must be absent for this step, and is set before; compute 'other' in another step"
        ),
        (
            "other: { hash: sha-512, of: \"{proof}\", of-as: hex }", "other: { hash: sha-512, of: \"{later}\" }",
            "there is no parameter 'later', and no earlier step sets it"
        ),
        (
            "token: { header: [X-Next", "id: { header: [X-Next",
            "'id' has the value of 'from'; remove that, and set the field in a step"
        ),
        (
            "token: { header: [X-Next", "former: { header: [X-Next",
            "no request carries 'former', so no response to one can replace it; remove 'place: store'"
        ),
        (
            "token: { header: [X-Next", "name: { header: [X-Next",
            "'name' is the name of a header field, which only a login can choose"
        ),
    ])
    func `a mistake is explained`(old: String, new: String, message: String) {
        let spec = Self.spec.replacingOccurrences(of: old, with: new)
        #expect(spec != Self.spec)
        let reading = Self.read(spec)
        #expect(
            reading.diagnostics.contains { $0.message.hasPrefix(message) }, "\(DiagnosticRenderer().text(reading.diagnostics))")
    }

    @Test func `two dollar signs before a reference are a literal one`() throws {
        let spec = Self.spec.replacingOccurrences(
            of: "proof: { hash: sha-256, of: \"{password}\" }", with: "proof: { hash: sha-256, of: \"a$${password}$\" }")
        let program = try #require(Self.read(spec).landscape?.programs.first)
        let digests = program.acquire.compactMap { step -> ResolvedProgram.Digest? in
            if case .digest(let digest)? = step.computed?.function { digest } else { nil }
        }
        #expect(digests.first?.message.pieces == [.text("a$"), .slot(1), .text("$")])
    }

    @Test func `parts of a request are not encoded`() {
        let spec = ValidSpec.computed.replacingOccurrences(
            of: "digest: { hash: sha-256, of: \"{request.body}\" }",
            with: "digest: { hash: sha-256, of: \"{request.body}\", of-as: hex }")
        let message = "a part of a request is not encoded; encode it with 'join' and 'as', and refer to the result"
        #expect(Self.read(spec).diagnostics.contains { $0.message == message })
    }
}
