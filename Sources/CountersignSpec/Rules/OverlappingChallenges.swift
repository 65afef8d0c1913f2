/// No response is the challenge of two methods.
///
/// Two challenges overlap unless their statuses are disjoint, a header field that both name cannot have both values, or the schemes of a
/// field differ or a parameter of theirs cannot have both values. References are compared by the default of their field; without one they
/// can be anything. An overlap that a challenge names is intended, and methods of different factors are told apart by what comes first.
enum OverlappingChallenges {
    /// More overlaps of two methods than this say nothing new.
    private static let mostOfAPair = 20

    static func check(_ methods: [ResolvedMethod], _ provenance: Provenance, into diagnostics: inout DiagnosticCollector) {
        checkNames(methods, provenance, into: &diagnostics)
        for (index, second) in methods.enumerated() {
            let others = second.concreteChallenges
            // Of two factors it is known which comes first.
            for first in methods[..<index] where first.isSecondFactor == second.isSecondFactor {
                var reported = 0
                for one in first.concreteChallenges {
                    for other in others {
                        let isIntended = one.overlaps.contains(second.name.value) || other.overlaps.contains(first.name.value)
                        guard !isIntended, reported < mostOfAPair, let example = one.example(with: other) else { continue }
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

    /// An inherited challenge may name a method that the landscape omits.
    private static func checkNames(
        _ methods: [ResolvedMethod], _ provenance: Provenance, into diagnostics: inout DiagnosticCollector
    ) {
        let names = methods.map(\.name.value)
        for name in methods.flatMap(\.challenges).flatMap(\.overlaps)
        where !names.contains(name.value) && !provenance.isInherited(name.location) {
            diagnostics.report(
                .unknownReference, "there is no method '\(name.value)'", at: name.span,
                meaning: name.value, among: names)
        }
    }
}
