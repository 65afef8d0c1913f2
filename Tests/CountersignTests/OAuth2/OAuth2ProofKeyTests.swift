import Testing

@testable import Countersign

@Suite struct `Proof keys and states` {
    // RFC 7636, appendix B.
    @Test func `RFC 7636 appendix B, the example`() throws {
        let key = try #require(OAuth2ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    /// Generates the octets of RFC 7636, appendix B, in four numbers.
    private struct AppendixB: RandomNumberGenerator {
        private var octets: [UInt8] = [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240, 91, 88,
            5, 88,
            83, 132, 141, 121,
        ]

        mutating func next() -> UInt64 {
            defer { octets.removeFirst(8) }
            return octets.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    @Test func `RFC 7636 appendix B, from its octets`() {
        var source = AppendixB()
        #expect(RandomText.make(using: &source) == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    }

    // RFC 7636, section 4.1.
    @Test(arguments: [
        (42, false), (43, true), (128, true), (129, false),
    ]) func `a verifier has 43 to 128 characters`(length: Int, isAllowed: Bool) {
        #expect((OAuth2ProofKey(verifier: String(repeating: "~", count: length)) != nil) == isAllowed)
    }

    @Test(arguments: ["+", "/", "=", " ", "é", "%"]) func `a verifier has unreserved characters`(character: String) {
        #expect(OAuth2ProofKey(verifier: String(repeating: "a", count: 43) + character) == nil)
    }

    @Test func `B8 ten thousand logins have as many states and verifiers, with nothing in common`() {
        var seen: Set<String> = []
        for _ in 0..<20_000 { seen.insert(RandomText.make()) }
        #expect(seen.count == 20_000)
        #expect(seen.allSatisfy { OAuth2ProofKey(verifier: $0) != nil })
    }

    @Test func `B2 every bit of a state is drawn`() throws {
        // In 2000 draws, each of the 43 positions shows each of its possible characters. The last one has only four bits.
        var places = Array(repeating: Set<Character>(), count: 43)
        var source = CookieRandom(seed: 1)
        for _ in 0..<2000 {
            for (place, character) in RandomText.make(using: &source).enumerated() { places[place].insert(character) }
        }
        #expect(places.dropLast().allSatisfy { $0.count == 64 })
        #expect(places.last?.count == 16)
    }
}
