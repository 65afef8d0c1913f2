import TestTurns
import Testing

@testable import Countersign

/// Times are compared with each other and never with a fixed value, so the speed of the machine does not matter.
@Suite("Scopes of a server", .serialized)
struct ScopeGrowthTests {
    private static func values(_ count: Int) -> [ProgramValue] { [.texts((0..<count).map { "s\($0)" })] }

    @Test func `each scope of texts and lists is kept once, in the order of its first occurrence`() {
        let values: [ProgramValue] = [.text("b a"), .texts(["c", "a d"]), .absent]
        #expect(ProgramFunction.distinctScopes(of: [.slot(1), .slot(2), .slot(0), .text("e")], values) == "c a d b e")
        #expect(ProgramFunction.distinctScopes(of: [.slot(2)], values) == nil)
    }

    @Test func `combining many scopes takes time in proportion`() {
        let (small, large) = (Self.values(1 << 9), Self.values(1 << 13))
        func time(_ values: [ProgramValue], times count: Int) -> Double {
            processorTime { for _ in 0..<count { _ = ProgramFunction.distinctScopes(of: [.slot(0)], values) } }
        }
        // Sixteen times the scopes: a ratio of 1 when linear, since the smaller list is combined sixteen times, and 16 when
        // quadratic. Growth that is too fast shows in each of a few tries, but a disturbance by another program does not.
        let ratios = (0..<3).lazy.map { _ in time(large, times: 1) / time(small, times: 16) }
        #expect(ratios.contains { $0 < 4 }, "sixteen times the scopes took more than 4 times as long for each")
    }
}
