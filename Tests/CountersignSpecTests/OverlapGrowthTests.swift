import TestTurns
import Testing

@testable import CountersignSpec

/// How the time for checks grows with a landscape.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct OverlapGrowthTests {
    /// So many methods that are told apart by what a header field has.
    private static func sources(_ count: Int) -> SpecSources {
        let methods = (0..<count).map { number in
            SpecFile(
                "M\(number).yaml",
                """
                countersign: 2
                method: M\(number)
                summary: A login.
                parameters: { server: { type: url, summary: The server. } }
                challenge:
                  - { name: login, status: 401, headers: { X-Login: m\(number) }, capture: { id: { header: X-Id } } }
                credential:
                  fields: { id: { type: secret, from: "{challenge.id}", summary: The identifier. } }
                  for: ["{server}"]
                attach: [{ headers: { X-Id: "{credential.id}" } }]

                """)
        }
        return SpecSources(own: [SpecFile("landscape.yaml", ValidSpec.coreLandscape)] + methods)
    }

    @Test func `a thousand methods are compared in a time that grows with them, not with their pairs`() throws {
        let landscape = try #require(SpecReader.read(Self.sources(1_000)).landscape)
        let methods = landscape.programs.map { OverlappingChallenges.Method($0) }
        #expect(methods.count == 1_000)
        let start = ContinuousClock.now
        var diagnostics = DiagnosticCollector()
        OverlappingChallenges.check(methods, unless: { _, _ in false }, into: &diagnostics)
        let time = ContinuousClock.now - start
        #expect(diagnostics.sorted().isEmpty)
        // 0.1 s on a machine with nothing else to do, in a debug build; each pair compared takes 100 s.
        #expect(time < .seconds(3), "\(time)")
    }
}
