@testable import Countersign

/// Explores every schedule of a plan, that is, every possible order of its moves.
///
/// Equal worlds have equal futures, so each world is explored once, and the number of schedules that pass through it is counted.
struct FlightExplorer {
    /// A broken rule, with the first schedule that broke it.
    struct Violation {
        let what: String
        let schedule: [FlightWorld.Move]
    }

    private(set) var schedules = 0
    private(set) var violations: [FlightWorld.Rule: Violation] = [:]
    /// The number of different worlds.
    var worlds: Int { schedulesFrom.count }

    private var schedulesFrom: [FlightWorld: Int] = [:]
    private var path: [FlightWorld.Move] = []

    /// Explores a plan.
    init(_ plan: FlightWorld.Plan, requests: Int = 3) {
        schedules = explore(FlightWorld(plan, requests: requests))
    }

    private mutating func explore(_ world: FlightWorld) -> Int {
        if let known = schedulesFrom[world] { return known }
        var count = 0
        for move in world.moves {
            path.append(move)
            var next = world
            let findings = next.make(move)
            record(findings)
            // Findings after a broken rule are meaningless.
            count += findings.all.isEmpty ? explore(next) : 1
            path.removeLast()
        }
        if count == 0 {
            record(world.lastFindings())
            count = 1
        }
        schedulesFrom[world] = count
        return count
    }

    private mutating func record(_ findings: FlightWorld.Findings) {
        for finding in findings.all where violations[finding.rule] == nil {
            violations[finding.rule] = Violation(what: finding.what, schedule: path)
        }
    }
}
