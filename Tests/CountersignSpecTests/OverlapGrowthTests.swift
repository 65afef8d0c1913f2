import TestTurns
import Testing

@testable import CountersignSpec

/// The growth of the time for checks with the size of a landscape.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct OverlapGrowthTests {
    /// The part of the challenge that distinguishes the methods.
    enum Difference: String, CaseIterable {
        case header = "status: 401, headers: { X-Login: VALUE }"
        case json = "status: 401, json: { /login: VALUE }"
        case realm = "status: 401, www-authenticate: { scheme: Basic, parameters: { realm: VALUE } }"
        case scheme = "status: 401, www-authenticate: VALUE"
    }

    /// Returns the given number of methods that differ in one part of the challenge.
    private static func sources(_ count: Int, _ difference: Difference) -> SpecSources {
        let methods = (0..<count).map { number in
            SpecFile(
                "M\(number).yaml",
                """
                countersign: 2
                method: M\(number)
                summary: A login.
                parameters: { server: { type: url, summary: The server. } }
                challenge:
                  - { name: login, \(difference.rawValue.replacing("VALUE", with: "m\(number)")), capture: { id: { header: X-Id } } }
                credential:
                  fields: { id: { type: secret, from: "{challenge.id}", summary: The identifier. } }
                  for: ["{server}"]
                attach: [{ headers: { X-Id: "{credential.id}" } }]

                """)
        }
        return SpecSources(own: [SpecFile("landscape.yaml", ValidSpec.coreLandscape)] + methods)
    }

    @Test(arguments: Difference.allCases)
    func `a thousand methods are compared in a time that grows with them, not with their pairs`(_ difference: Difference) throws {
        let landscape = try #require(SpecReader.read(Self.sources(1_000, difference)).landscape)
        let methods = landscape.programs.map { OverlappingChallenges.Method($0) }
        #expect(methods.count == 1_000)
        var diagnostics = DiagnosticCollector()
        let time = processorTime { OverlappingChallenges.check(methods, unless: { _, _ in false }, into: &diagnostics) }
        #expect(diagnostics.sorted().isEmpty)
        // 0.02 s in a debug build. Comparing all pairs takes 100 s.
        #expect(time < 10, "\(time) s")
    }

    @Test func `a landscape is read in a time that grows with its methods`() throws {
        func time(_ count: Int) -> Double {
            let sources = Self.sources(count, .header)
            return processorTime { _ = SpecReader.read(sources) }
        }
        // Eight times the methods: 8 when linear, 64 when quadratic.
        let ratios = (0..<3).lazy.map { _ in time(512) / time(64) }
        #expect(ratios.contains { $0 < 16 }, "eight times the methods took more than 16 times as long")
    }
}
