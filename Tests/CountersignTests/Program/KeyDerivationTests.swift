import Testing

@testable import Countersign

/// Keys that are derived from passwords.
@Suite(.timeLimit(.minutes(10))) struct KeyDerivationTests {
    /// RFC 7914, section 11, as far as the result has the length of the hash, and a vector of PBKDF2 with SHA-512.
    @Test(arguments: [
        ("passwd", "salt", "1", "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"),
        ("Password", "NaCl", "80000", "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"),
    ])
    func `keys are those of the vectors`(password: String, salt: String, iterations: String, key: String) async throws {
        let derivation = KeyDerivation(.sha256, of: .text(password), salt: .text(salt), iterations: .text(iterations))
        #expect(try await derivation.text([]) == key)
    }

    @Test func `a key has as many bytes as the hash, in the encoding of the spec`() async throws {
        let derivation = KeyDerivation(
            .sha512, of: .text("passwordPASSWORDpassword"), salt: .text("saltSALTsaltSALTsaltSALTsaltSALTsalt"),
            iterations: .text("4096"), as: .base64)
        #expect(
            try await derivation.text([])
                == "jAUR9Mbll8asYxXY8DYuIl88UBSVuiO4aMAFF03E7nERW1n55gzZUy+jPg91rv4wIlxYOhhs2CvU2uqXJKPTuA==")
    }

    /// The example of the vendor's protocol: a key is the password of another one, and salts are hexadecimal.
    @Test func `a key of a key is derived from its bytes`() async throws {
        let first = KeyDerivation(
            .sha256, of: .text("1example!"), salt: .text("5A1711"), saltEncoding: .hex, iterations: .text("2000"))
        let key = try #require(try await first.text([]))
        #expect(key == "ffb66f6a9bc9458a9c12c33dcdc58c3243153ce31db6c695773176ee66bd9c9e")
        let second = KeyDerivation(
            .sha256, of: .slot(0), passwordEncoding: .hex, salt: .text("5A1722"), saltEncoding: .hex, iterations: .text("2000"))
        #expect(
            try await second.text([.secret(key)]) == "0a62573a545d5b8b112b89cf4c0fa36fa3e79b908c8b8bc423c68ed130f1f221")
    }

    @Test(arguments: ["", "0", "-1", "999", "2000001", "1e4", "99999999999999999999"])
    func `a server cannot choose too few or too many iterations`(iterations: String) async {
        let derivation = KeyDerivation(.sha256, of: .text("p"), salt: .text("s"), iterations: .slot(0))
        await expectError(.unusableChallenge) { _ = try await derivation.text([.text(iterations)]) }
    }

    @Test(arguments: ["", "0", "xyz"])
    func `a salt must be valid in its encoding, and not be empty`(salt: String) async {
        let derivation = KeyDerivation(.sha256, of: .text("p"), salt: .slot(0), saltEncoding: .hex, iterations: .text("1"))
        await expectError(.unusableChallenge) { _ = try await derivation.text([.text(salt)]) }
    }

    @Test func `an absent value has no key, and an empty password has one`() async throws {
        let derivation = KeyDerivation(.sha256, of: .slot(0), salt: .text("s"), iterations: .text("1"))
        #expect(try await derivation.text([.absent]) == nil)
        #expect(try await derivation.text([.secret("")]) != nil)
    }

    @Test func `a key is not derived for a cancelled task`() async {
        let derivation = KeyDerivation(.sha256, of: .text("p"), salt: .text("s"), iterations: .text("1"))
        let gate = Gate()
        let task = Task { () async throws -> String? in
            await gate.passDeaf()
            return try await derivation.text([])
        }
        task.cancel()
        gate.open()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test func `the bytes of a hash are hashed, not its digits`() throws {
        let digest = DigestFunction(.sha256, of: .text("00ff"), messageEncoding: .hex)
        #expect(try digest.text([]) == "06eb7d6a69ee19e5fbdf749018d3d2abfa04bcbd1365db312eb86dc7169389b8")
        let error = #expect(throws: CountersignError.self) {
            try DigestFunction(.sha256, of: .text("0x"), messageEncoding: .hex).text([])
        }
        #expect(error?.code == .invalidRequest)
    }
}

/// Parts of texts.
@Suite struct TextPartTests {
    @Test(
        arguments: [
            ("2$60000$aa$6000$bb", "2$", "$", "60000"), ("2$60000$aa$6000$bb", "2$60000$", "$", "aa"),
            ("r=xs=1,s=QSXC,i=4096", ",s=", ",", "QSXC"), ("a=1;b=2", "b=", nil, "2"), ("a=1;b=2", nil, ";", "a=1"),
            ("==", "=", "=", ""), ("é·ü", "·", nil, "ü"),
        ] as [(String, String?, String?, String)])
    func `a part is between two texts`(text: String, start: String?, end: String?, part: String) throws {
        let function = TextPart(
            of: .text(text), after: start.map { ProgramTemplate.text($0) }, before: end.map { ProgramTemplate.text($0) })
        #expect(try function.part([]) == part)
    }

    @Test(arguments: [("abc", "x", "c"), ("abc", "a", "a"), ("", "a", "b"), (String(repeating: "a", count: 65_537), "a", "b")])
    func `a text without the part, or a very long one, is an error`(text: String, start: String, end: String) {
        let error = #expect(throws: CountersignError.self) {
            try TextPart(of: .text(text), after: .text(start), before: .text(end)).part([])
        }
        #expect(error?.code == .unusableChallenge)
    }

    @Test func `an absent text has no part`() throws {
        #expect(try TextPart(of: .slot(0), after: .text("a")).part([.absent]) == nil)
        #expect(try TextPart(of: .text("ab"), after: .slot(0)).part([.absent]) == nil)
    }
}
