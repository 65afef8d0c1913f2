extension ProgramStepReader {
    /// Moves a function that sets a value which must be absent behind the others, which have the same condition.
    func order(
        _ actions: inout [ResolvedProgram.Step.Action], of node: DocumentNode, under conditions: [ResolvedProgram.Requirement],
        into diagnostics: inout DiagnosticCollector
    ) {
        let conditional = Set(conditions.filter { !$0.isPresent }.map(\.slot))
        var first: DocumentNode.Entry?
        var set: Set<Int> = []
        for (action, entry) in zip(actions, node.entries) {
            guard case .compute(let slot, let function) = action else { continue }
            let isConditional = conditional.contains(slot)
            if let first, isConditional || !set.isDisjoint(with: function.templates.flatMap(\.slots)) {
                diagnostics.report(
                    .unreachableStep,
                    "'\(first.key.value)' must be absent for this step, and is set before; compute '\(entry.key.value)' in another step",
                    at: entry.keySpan, notes: [Diagnostic.Note("set here", at: first.key.location)])
            }
            guard isConditional else { continue }
            first = first ?? entry
            set.insert(slot)
        }
        func isLast(_ action: ResolvedProgram.Step.Action) -> Bool {
            if case .compute(let slot, _) = action { conditional.contains(slot) } else { false }
        }
        actions = actions.filter { !isLast($0) } + actions.filter(isLast)
    }
}
