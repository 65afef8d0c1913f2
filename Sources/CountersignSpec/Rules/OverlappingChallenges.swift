/// No response is the challenge of two methods.
///
/// Two challenges overlap unless their statuses are disjoint, a header field that both name cannot have both values, or the schemes of a
/// field differ or a parameter of theirs cannot have both values. References are compared by the default of their field; without one they
/// can be anything. Methods of different factors are told apart by what comes first.
enum OverlappingChallenges {
    /// More overlaps of two methods than this say nothing new.
    private static let mostOfAPair = 20

    static func check(_ methods: [ResolvedMethod], into diagnostics: inout DiagnosticCollector) {
        for (index, second) in methods.enumerated() {
            let others = second.concreteChallenges
            // Of two factors it is told which comes first.
            for first in methods[..<index] where first.isSecondFactor == second.isSecondFactor {
                var reported = 0
                for one in first.concreteChallenges {
                    for other in others {
                        guard reported < mostOfAPair, let example = one.example(with: other) else { continue }
                        reported += 1
                        diagnostics.report(
                            .overlappingChallenges,
                            "a response can be this challenge and '\(one.name.value)' of '\(first.name.value)', such as \(example)",
                            at: other.name.span, notes: [Diagnostic.Note("the other challenge", at: one.name.location)])
                    }
                }
            }
        }
    }
}
