extension ProgramStepReader {
    /// Moves a function that can end the step's condition behind the others, since each function runs only while the condition holds.
    ///
    /// Such a function sets a value that must be absent, or may set one that must be present to an absent one.
    ///
    /// - Parameter verb: The key of the step.
    func order(
        _ actions: inout [ResolvedProgram.Step.Action], of node: DocumentNode, _ verb: String,
        under conditions: [ResolvedProgram.Requirement], into diagnostics: inout DiagnosticCollector
    ) {
        let conditional = Set(conditions.filter { !$0.isPresent || cleared.contains($0.slot) }.map(\.slot))
        var first: (entry: DocumentNode.Entry, slot: Int, uses: [Int])?
        for (action, entry) in zip(actions, node.entries) {
            guard case .compute(let slot, let function) = action else { continue }
            let isConditional = conditional.contains(slot)
            let uses = function.templates.flatMap(\.slots)
            // The first function runs after this one, so neither can use the other's value.
            if let first, isConditional || uses.contains(first.slot) || first.uses.contains(slot) {
                let role = cleared.contains(first.slot) ? "is a condition of this step" : "must be absent for this step"
                diagnostics.report(
                    .unreachableStep,
                    "'\(first.entry.key.value)' \(role), and is set before; \(verb) '\(entry.key.value)' in another step",
                    at: entry.keySpan, notes: [Diagnostic.Note("set here", at: first.entry.key.location)])
            }
            if isConditional, first == nil { first = (entry, slot, uses) }
        }
        func isLast(_ action: ResolvedProgram.Step.Action) -> Bool {
            if case .compute(let slot, _) = action { conditional.contains(slot) } else { false }
        }
        actions = actions.filter { !isLast($0) } + actions.filter(isLast)
    }
}
