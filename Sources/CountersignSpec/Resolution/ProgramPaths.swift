/// The ways that lead through the steps of a method to a place, and which values are there on each of them.
///
/// A condition parts the ways on which a value is there from those on which it is not; the answers of a request part them again. So it is
/// proved on every way that a value is there where it is named, and that the credential is whole at the end.
struct ProgramPaths {
    enum Presence: Hashable {
        case present, absent
        /// A parameter or capture that is optional, and that no condition has asked for yet.
        case maybe
        /// After a mistake.
        case unknown
    }

    /// Where ways part.
    struct Turn {
        enum Kind {
            /// This answer comes.
            case answer
            /// The step runs, or is left out, by its condition.
            case condition
        }

        let kind: Kind
        let span: SourceSpan
        let note: Diagnostic.Note
        /// The slot that a condition is about.
        var about: Int?
        /// The slots that another answer fills.
        var lacking: Set<Int> = []
    }

    struct Path {
        /// By slot.
        var presences: [Presence]
        /// Where it parted from others, the latest last.
        var turns: [Turn] = []
    }

    /// More than these are too many to understand.
    static let limit = 1024

    private(set) var all = [Path(presences: [])]

    /// No way at all.
    static var none: ProgramPaths {
        var paths = ProgramPaths()
        paths.all = []
        return paths
    }

    /// Whether there are more than the limit.
    var isExcessive: Bool { all.count > Self.limit }

    func presences(of slot: Int) -> Set<Presence> { Set(all.map { $0.presences[slot] }) }

    /// Why a slot is absent on one of the ways.
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

    /// The first way on which a slot is absent.
    func first(without slot: Int) -> Path? { all.first { $0.presences[slot] == .absent } }

    /// Keeps the ways on which a condition holds.
    ///
    /// - Parameter turn: Where the ways part, for those on which the value is there, and for the others.
    /// - Returns: The ways on which it does not hold.
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

    /// Parts each way by the answers that can come.
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

    /// Joins the ways on which a step was left out.
    mutating func join(_ others: ProgramPaths) {
        all += others.all
        pad(to: all.map(\.presences.count).max() ?? 0)
        merge()
    }

    /// Adds the ways by which steps begin that run once more.
    ///
    /// - Parameters:
    ///   - ends: The ways after the steps, where they run once more.
    ///   - fresh: The slots that the steps fill anew each time.
    /// - Returns: Whether there are ways that were none before.
    mutating func resume(from ends: ProgramPaths, filling fresh: Set<Int>) -> Bool {
        var ends = ends
        for index in ends.all.indices {
            for slot in fresh where slot < ends.all[index].presences.count { ends.all[index].presences[slot] = .absent }
        }
        pad(to: ends.all.first?.presences.count ?? 0)
        let known = Set(all.map(\.presences))
        let others = ends.all.filter { !known.contains($0.presences) }
        all += others
        merge()
        return !others.isEmpty
    }

    /// The slots that are there on no way.
    var pending: Set<Int> {
        guard let first = all.first else { return [] }
        return Set(first.presences.indices.filter { presences(of: $0) == [.absent] })
    }

    /// Adds the slots that another way has got.
    mutating func pad(to count: Int) {
        for index in all.indices {
            all[index].presences += Array(repeating: .absent, count: count - all[index].presences.count)
        }
    }

    /// Leaves open whether slots have values of which no later step is made: ways that differ in nothing else are one.
    mutating func release(_ slots: [Int]) {
        let differing = slots.filter { slot in (all.first?.presences.count ?? 0) > slot && presences(of: slot).count > 1 }
        guard !differing.isEmpty else { return }
        for index in all.indices {
            for slot in differing { all[index].presences[slot] = .maybe }
        }
        merge()
    }

    /// Leaves open what is there: after a mistake that keeps it from being known.
    mutating func forget() {
        guard var path = all.first else { return }
        for slot in path.presences.indices where Set(all.map { $0.presences[slot] }) != [.present] {
            path.presences[slot] = .unknown
        }
        path.turns = []
        all = [path]
    }

    /// One way for all, after the steps.
    ///
    /// - Parameter start: The ways before them: what the application gave may be absent as before; what a step was to fill on each way, and
    ///   did not, has been reported.
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

    /// The one way after the steps, but with what was there before them in all slots but some.
    func resumed(after start: ProgramPaths, keeping slots: Set<Int>) -> ProgramPaths {
        guard let before = start.all.first?.presences, var path = all.first else { return self }
        for slot in path.presences.indices where !slots.contains(slot) {
            path.presences[slot] = slot < before.count ? before[slot] : .absent
        }
        var paths = self
        paths.all = [path]
        return paths
    }

    /// Ways on which the same is there are one.
    private mutating func merge() {
        var seen: Set<[Presence]> = []
        all = all.filter { seen.insert($0.presences).inserted }
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
