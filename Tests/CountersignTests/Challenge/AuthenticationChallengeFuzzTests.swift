import Foundation
import HTTPTypes
import TestTurns
import Testing

@testable import Countersign

/// Random and malformed header fields.
@Suite("Challenges that nobody meant", .serialized) struct AuthenticationChallengeFuzzTests {
    private static func read(_ lines: [String]) -> [AuthenticationChallenge] {
        AuthenticationChallengeParser.challenges(in: lines)
    }

    private static let pieces = [
        "a", "=", " ", "\t", "\"", ",", "\\", "\u{0}", "\r\n", "\u{7F}", "é", "\u{301}", "👩‍👩‍👧", "Bearer ", "realm=", "Basic",
        "error=x",
        "\"q\\\"r\"", "==", "a68/+", "()", ";", "'", "Digest realm=\"x\", nonce=\"",
    ]

    @Test(arguments: 0..<8) func `no field stops the program, and what is read could be written`(seed: Int) {
        var random = CookieRandom(seed: UInt64(seed))
        var count = 0
        for _ in 0..<3000 {
            let length = Int.random(in: 0..<16, using: &random)
            let line = (0..<length).compactMap { _ in Self.pieces.randomElement(using: &random) }.joined()
            for challenge in Self.read([line]) {
                count += 1
                #expect(HTTPField.Name(challenge.scheme) != nil)
                #expect(challenge.parameters.keys.allSatisfy { HTTPField.Name($0) != nil && $0 == $0.lowercased() })
                #expect(challenge.token68 == nil || challenge.parameters.isEmpty)
                #expect(Self.read([challenge.fieldValue]) == [challenge], "\(line) as \(challenge.fieldValue)")
            }
        }
        #expect(count > 200)
    }

    @Test func `several challenges that are written in one line are read from it`() {
        var random = CookieRandom(seed: 9)
        let values = ["", "x", "a b", "\"", "\\", "a, b=c", "=", ",", "\té"]
        for _ in 0..<500 {
            let challenges = (0..<Int.random(in: 1...5, using: &random)).map { number in
                if Bool.random(using: &random) { return AuthenticationChallenge(scheme: "S\(number)", token68: "t/\(number)==") }
                let names = (0..<Int.random(in: 0...4, using: &random)).map { "p\($0)" }
                return AuthenticationChallenge(
                    scheme: "S\(number)",
                    parameters: Dictionary(names.map { ($0, values.randomElement(using: &random) ?? "") }) { first, _ in first })
            }
            let separator = [",", ", ", " ,, ", "\t,"].randomElement(using: &random) ?? ","
            #expect(Self.read([challenges.map(\.fieldValue).joined(separator: separator)]) == challenges)
        }
    }

    @Test func `a control character in quotes is a defect`() {
        for character in ["\u{0}", "\n", "\u{1B}", "\u{7F}"] {
            #expect(Self.read(["A b=c, d=\"e\(character)f\", G"]) == [AuthenticationChallenge(scheme: "A", parameters: ["b": "c"])])
            #expect(Self.read(["A b=\"\\\(character)\""]) == [AuthenticationChallenge(scheme: "A")])
        }
    }

    @Test func `the number of challenges and parameters is bounded`() {
        let schemes = Array(repeating: "A", count: 1000)
        #expect(Self.read([schemes.joined(separator: ",")]).count == 32)
        #expect(Self.read(schemes).count == 32)
        let parameters = (0..<1000).map { "p\($0)=x" }.joined(separator: ",")
        #expect(Self.read(["A \(parameters), B", "C"]).map(\.scheme) == ["A", "C"])
        #expect(Self.read(["A \(parameters)"]).first?.parameters.count == 64)
        #expect(Self.read(["A " + Array(repeating: "p=x", count: 1000).joined(separator: ",")]).first?.parameters == ["p": "x"])
    }

    @Test(arguments: [
        ("", "a"), ("", ","), ("", " "), ("", "="), ("", "\""), ("A ", "a"), ("A ", "="), ("A ", " ,"), ("A a", "="), ("A a=", "a"),
        ("A a=\"", "a"), ("A a=\"", "\\\""), ("A a=\"", "é"), ("A ", "a,"), ("A ", "a=a,"), ("A ", "a=\"\","), ("", "A a=a,"),
        ("A b", " "), ("A b=c", " "), ("A b", "/"),
    ])
    func `reading a long field takes time in proportion`(_ start: String, _ shape: String) {
        func line(_ bytes: Int) -> [String] { [start + String(repeating: shape, count: bytes / shape.utf8.count)] }
        let (small, large) = (line(1 << 15), line(1 << 18))
        // Eight times the size: a ratio of 8 when linear, 64 when quadratic, which takes many seconds. A line that is refused at
        // its first byte takes almost no time, most of it for memory. Growth that is too fast shows in each try, but a
        // disturbance by another program does not.
        let isInProportion = (0..<3).contains { _ in
            let (quick, slow) = (processorTime { _ = Self.read(small) }, processorTime { _ = Self.read(large) })
            return slow < max(24 * quick, 0.05)
        }
        #expect(isInProportion, "eight times the bytes took more than 24 times as long")
    }
}
