/// The paths through the steps of a method up to a place, and the values that are present on each of them.
///
/// A condition divides the paths into those on which a value is present and those on which it is absent. The answers of a request
/// divide them further. This proves for every path that a value is present where it is named, and that the credential is complete
/// at the end.
struct ProgramPaths {
    enum Presence: Hashable {
        case present, absent
        /// The value of an optional parameter or capture that no condition has checked yet.
        case maybe
        /// The value is unknown because of a mistake.
        case unknown
    }

    /// A place at which paths branch.
    struct Turn {
        enum Kind {
            /// The response matches this answer.
            case answer
            /// The step runs or is skipped because of its condition.
            case condition
        }

        let kind: Kind
        let span: SourceSpan
        let note: Diagnostic.Note
        /// The slot that a condition checks.
        var about: Int?
        /// The slots that only other answers fill.
        var lacking: Set<Int> = []
    }

    struct Path {
        /// The presence of each value, by slot.
        var presences: [Presence]
        /// The places at which the path branched off, latest last.
        var turns: [Turn] = []
        /// The slots that each run of the enclosing repeated steps fills anew, with their presence at the start of the next run.
        var renewed: [Int: Presence] = [:]

        fileprivate var key: Key { Key(presences: presences, renewed: renewed) }
    }

    /// The part of a path that distinguishes it from others.
    fileprivate struct Key: Hashable {
        let presences: [Presence]
        let renewed: [Int: Presence]
    }

    /// The maximum number of paths, since more could not be understood.
    static let limit = 1024

    private(set) var all = [Path(presences: [])]

    /// An empty set of paths.
    static var none: ProgramPaths {
        var paths = ProgramPaths()
        paths.all = []
        return paths
    }

    /// Whether there are more paths than the limit.
    var isExcessive: Bool { all.count > Self.limit }

    func presences(of slot: Int) -> Set<Presence> { Set(all.map { $0.presences[slot] }) }

    /// Returns the reason why a slot is absent on one of the paths.
    func reason(forAbsenceOf slot: Int) -> Diagnostic.Note? {
        first(without: slot)?.turns.last?.note
    }

    /// Adds a slot.
    mutating func add(_ presence: Presence) {
        for index in all.indices { all[index].presences.append(presence) }
    }

    mutating func set(_ slot: Int, _ presence: Presence) {
        for index in all.indices { all[index].presences[slot] = presence }
        merge()
    }

    /// Returns the first path on which a slot is absent.
    func first(without slot: Int) -> Path? { all.first { $0.presences[slot] == .absent } }

    /// Keeps the paths on which a condition holds.
    ///
    /// - Parameter turn: Returns the branch of paths on which the value is present, or of those on which it is absent.
    /// - Returns: The paths on which the condition does not hold.
    mutating func split(on condition: ResolvedProgram.Requirement, turn: (_ isPresent: Bool) -> Turn) -> ProgramPaths {
        let slot = condition.slot
        let wanted = condition.isPresent ? Presence.present : .absent
        let other = condition.isPresent ? Presence.absent : .present
        var kept = Self.none
        var rest = Self.none
        for path in all {
            switch path.presences[slot] {
            case wanted: kept.all.append(path)
            case other: rest.all.append(path)
            default:
                kept.all.append(path.setting(slot, wanted, turn(condition.isPresent)))
                rest.all.append(path.setting(slot, other, turn(!condition.isPresent)))
            }
        }
        self = kept
        return rest
    }

    /// Divides each path by the possible answers.
    mutating func branch(into outcomes: [(turn: Turn, filled: [(slot: Int, presence: Presence)])]) {
        func slots(_ filled: [(slot: Int, presence: Presence)]) -> [Int] {
            filled.filter { $0.presence != .absent }.map(\.slot)
        }
        let filled = Set(outcomes.flatMap { slots($0.filled) })
        all = all.flatMap { path in
            outcomes.map { outcome in
                var path = path
                for (slot, presence) in outcome.filled { path.presences[slot] = presence }
                var turn = outcome.turn
                turn.lacking = filled.subtracting(slots(outcome.filled))
                path.turns.append(turn)
                return path
            }
        }
        merge()
    }

    /// Adds the paths on which a step was skipped.
    mutating func join(_ others: ProgramPaths) {
        all += others.all
        pad(to: all.map(\.presences.count).max() ?? 0)
        merge()
    }

    /// Begins repeated steps. Each run clears the values of steps that were absent at the start, and those that it asks for.
    ///
    /// - Parameters:
    ///   - prompted: The slots of the steps' own values for which the steps ask.
    ///   - isOfStep: Whether a slot is that of a step's own value.
    mutating func beginRuns(askingFor prompted: Set<Int>, _ isOfStep: (Int) -> Bool) {
        let absent = pending
        for index in all.indices {
            for slot in prompted { all[index].presences[slot] = .absent }
            for (slot, presence) in all[index].presences.enumerated() {
                if absent.contains(slot) || presence == .absent && isOfStep(slot) {
                    all[index].renewed[slot] = .absent
                } else if presence == .maybe, isOfStep(slot) {
                    all[index].renewed[slot] = .maybe
                }
            }
        }
        merge()
    }

    /// Ends repeated steps.
    mutating func endRuns() {
        for index in all.indices { all[index].renewed = [:] }
        merge()
    }

    /// Adds the paths on which repeated steps begin another run.
    ///
    /// - Parameters:
    ///   - ends: The paths after the steps, if they run again.
    ///   - count: The number of slots before the steps. The values of later slots belong to a single run.
    /// - Returns: Whether there are new paths.
    mutating func resume(from ends: ProgramPaths, after count: Int) -> Bool {
        var ends = ends
        for index in ends.all.indices {
            for (slot, presence) in ends.all[index].renewed {
                if presence == .absent || ends.all[index].presences[slot] == .present {
                    ends.all[index].presences[slot] = presence
                }
            }
            for slot in ends.all[index].presences.indices.dropFirst(count) { ends.all[index].presences[slot] = .absent }
        }
        guard let end = ends.all.first else { return false }
        pad(to: end.presences.count)
        let known = Set(all.map(\.key))
        let others = ends.all.filter { !known.contains($0.key) }
        all += others
        merge()
        return !others.isEmpty
    }

    /// The slots that are absent on all paths.
    var pending: Set<Int> {
        guard let first = all.first else { return [] }
        return Set(first.presences.indices.filter { presences(of: $0) == [.absent] })
    }

    /// Adds absent slots until all paths have a number of slots.
    mutating func pad(to count: Int) {
        for index in all.indices {
            all[index].presences += Array(repeating: .absent, count: count - all[index].presences.count)
        }
    }

    /// Treats slots that no later step names as possibly present, and merges paths that do not differ in other slots.
    mutating func release(_ slots: [Int]) {
        let differing = slots.filter { slot in (all.first?.presences.count ?? 0) > slot && presences(of: slot).count > 1 }
        guard !differing.isEmpty else { return }
        for index in all.indices {
            for slot in differing { all[index].presences[slot] = .maybe }
        }
        merge()
    }

    /// Merges all paths into one after a mistake. Values that are not present on all of them are unknown.
    mutating func forget() {
        guard var path = all.first else { return }
        for slot in path.presences.indices where Set(all.map { $0.presences[slot] }) != [.present] {
            path.presences[slot] = .unknown
        }
        path.turns = []
        path.renewed = [:]
        all = [path]
    }

    /// Merges all paths into one after the steps.
    ///
    /// - Parameter start: The paths before the steps. Values that were present or optional there may be absent as before. A value
    ///   that the steps should have filled, but did not, is unknown, since this has been reported.
    mutating func settle(after start: ProgramPaths) {
        guard let before = start.all.first?.presences, var path = all.first else { return }
        for slot in path.presences.indices {
            let presences = presences(of: slot)
            let wasPending = slot >= before.count || before[slot] == .absent
            path.presences[slot] =
                if presences == [.present] {
                    .present
                } else if wasPending, !presences.isDisjoint(with: [.absent, .unknown]) {
                    .unknown
                } else {
                    .maybe
                }
        }
        path.turns = []
        all = [path]
    }

    /// Returns the single path after the steps, in which only some slots keep their presence. Other slots are as they were before
    /// the steps.
    func resumed(after start: ProgramPaths, keeping slots: Set<Int>) -> ProgramPaths {
        guard let before = start.all.first?.presences, var path = all.first else { return self }
        for slot in path.presences.indices where !slots.contains(slot) {
            path.presences[slot] = slot < before.count ? before[slot] : .absent
        }
        var paths = self
        paths.all = [path]
        return paths
    }

    /// Merges paths with the same presences, also at the start of the next run of repeated steps.
    private mutating func merge() {
        var seen: Set<Key> = []
        all = all.filter { seen.insert($0.key).inserted }
    }
}

extension ProgramPaths.Path {
    fileprivate func setting(_ slot: Int, _ presence: ProgramPaths.Presence, _ turn: ProgramPaths.Turn) -> Self {
        var path = self
        path.presences[slot] = presence
        path.turns.append(turn)
        return path
    }
}
