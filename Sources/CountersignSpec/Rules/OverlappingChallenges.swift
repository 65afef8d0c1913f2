/// The rule that no response is the challenge of two methods.
///
/// Two challenges overlap unless their statuses are disjoint, a part of the response that both name cannot have both values, the
/// schemes of a field differ, or a parameter of a scheme cannot have both values. References are compared by the default of their
/// parameter. Without a default they can be anything. An overlap within a group of the landscape's `overlaps` is intended. A
/// first and a second factor do not overlap, since the first is answered first.
struct OverlappingChallenges {
    /// A method with its challenges.
    struct Method {
        let name: String
        let challenges: [ConcreteChallenge]
        let isSecondFactor: Bool

        init(_ program: ResolvedProgram, isSecondFactor: Bool = false) {
            name = program.name.value
            challenges = program.concreteChallenges
            self.isSecondFactor = isSecondFactor
        }
    }

    /// A challenge of a method that has been compared already.
    private struct Entry {
        let method: Int
        let challenge: ConcreteChallenge
    }

    /// Challenges that compare the same parts of a response as a whole. Those with another value for one of these parts need no
    /// comparison, so a thousand methods that differ in a header field require a thousand comparisons, not half a million.
    private struct Group {
        private(set) var all: [Int] = []
        private var byValue: [ConcreteChallenge.Place: [String: [Int]]] = [:]

        mutating func add(_ entry: Int, _ values: [ConcreteChallenge.Place: String]) {
            all.append(entry)
            for (place, value) in values { byValue[place, default: [:]][value, default: []].append(entry) }
        }

        /// Returns the challenges that can have a response in common with a challenge with these values.
        func candidates(for values: [ConcreteChallenge.Place: String]) -> [Int] {
            let common = values.lazy.compactMap { place, value in byValue[place].map { $0[value] ?? [] } }
            return common.min { $0.count < $1.count } ?? all
        }
    }

    /// The maximum number of reported overlaps of two methods, since more provide no new information.
    private static let mostOfAPair = 20

    private var entries: [Entry] = []
    /// The challenges by status, as indices in `entries`, grouped by the parts that they compare as a whole. The key `nil` is any
    /// status.
    private var byStatus: [Int?: [Set<ConcreteChallenge.Place>: Group]] = [:]

    static func check(_ methods: [Method], in documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector) {
        let intended = IntendedOverlaps(of: documents)
        check(methods, unless: intended.contains, into: &diagnostics)
    }

    /// - Parameter isIntended: Whether an overlap of two methods is intended.
    static func check(
        _ methods: [Method], unless isIntended: (String, String) -> Bool, into diagnostics: inout DiagnosticCollector
    ) {
        var seen = OverlappingChallenges()
        for (number, method) in methods.enumerated() {
            var reported: [Int: Int] = [:]
            for challenge in method.challenges {
                for entry in seen.candidates(for: challenge) {
                    let other = methods[entry.method]
                    // Of two factors, the first is always answered first.
                    guard other.isSecondFactor == method.isSecondFactor, !isIntended(other.name, method.name),
                        reported[entry.method, default: 0] < mostOfAPair, let example = entry.challenge.example(with: challenge)
                    else { continue }
                    reported[entry.method, default: 0] += 1
                    diagnostics.report(
                        .overlappingChallenges,
                        "a response can match both this challenge and '\(entry.challenge.name.value)' of '\(other.name)', such as \(example)",
                        at: challenge.name.span, notes: [Diagnostic.Note("the other challenge", at: entry.challenge.name.location)])
                }
            }
            for challenge in method.challenges { seen.add(Entry(method: number, challenge: challenge)) }
        }
    }

    /// Returns the challenges that can overlap with another one, in the order in which they were added.
    private func candidates(for challenge: ConcreteChallenge) -> [Entry] {
        let values = challenge.wholeValues
        let statuses = challenge.statuses.isEmpty ? Array(byStatus.keys) : challenge.statuses + [nil]
        let places = Set(statuses.flatMap { (byStatus[$0] ?? [:]).values.flatMap { $0.candidates(for: values) } })
        return places.sorted().map { entries[$0] }
    }

    private mutating func add(_ entry: Entry) {
        let values = entry.challenge.wholeValues
        let statuses: Set<Int?> = entry.challenge.statuses.isEmpty ? [nil] : Set(entry.challenge.statuses)
        for status in statuses { byStatus[status, default: [:]][Set(values.keys), default: Group()].add(entries.count, values) }
        entries.append(entry)
    }
}
