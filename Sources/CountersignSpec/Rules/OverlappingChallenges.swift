/// No response is the challenge of two methods.
///
/// Two challenges overlap unless their statuses are disjoint, a part of the response that both name cannot have both values, or the schemes
/// of a field differ or a parameter of theirs cannot have both values. References are compared by the default of their parameter; without
/// one they can be anything. An overlap within a group of the landscape's `overlaps` is intended, and methods of different factors are told
/// apart by what comes first.
struct OverlappingChallenges {
    /// A method with what its challenges look like.
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

    /// A challenge of a method that was looked at.
    private struct Entry {
        let method: Int
        let challenge: ConcreteChallenge
    }

    /// More overlaps of two methods than this say nothing new.
    private static let mostOfAPair = 20

    private var entries: [Entry] = []
    /// The places in `entries` of the challenges with a status.
    private var byStatus: [Int: [Int]] = [:]
    /// Those of the challenges with any status.
    private var ofAnyStatus: [Int] = []

    static func check(_ methods: [Method], in documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector) {
        let intended = IntendedOverlaps(of: documents)
        var seen = OverlappingChallenges()
        for (number, method) in methods.enumerated() {
            var reported: [Int: Int] = [:]
            for challenge in method.challenges {
                for entry in seen.candidates(for: challenge) {
                    let other = methods[entry.method]
                    // Of two factors it is known which comes first.
                    guard other.isSecondFactor == method.isSecondFactor, !intended.contains(other.name, method.name),
                        reported[entry.method, default: 0] < mostOfAPair, let example = entry.challenge.example(with: challenge)
                    else { continue }
                    reported[entry.method, default: 0] += 1
                    diagnostics.report(
                        .overlappingChallenges,
                        "a response can be this challenge and '\(entry.challenge.name.value)' of '\(other.name)', such as \(example)",
                        at: challenge.name.span, notes: [Diagnostic.Note("the other challenge", at: entry.challenge.name.location)])
                }
            }
            for challenge in method.challenges { seen.add(Entry(method: number, challenge: challenge)) }
        }
    }

    /// The challenges that have a status in common with another, in the order in which they were added.
    private func candidates(for challenge: ConcreteChallenge) -> [Entry] {
        guard !challenge.statuses.isEmpty else { return entries }
        let places = Set(challenge.statuses.flatMap { byStatus[$0] ?? [] }).union(ofAnyStatus)
        return places.sorted().map { entries[$0] }
    }

    private mutating func add(_ entry: Entry) {
        for status in Set(entry.challenge.statuses) { byStatus[status, default: []].append(entries.count) }
        if entry.challenge.statuses.isEmpty { ofAnyStatus.append(entries.count) }
        entries.append(entry)
    }
}
