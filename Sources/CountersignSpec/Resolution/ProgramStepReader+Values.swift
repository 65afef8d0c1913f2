// Steps that generate or compute values.

extension ProgramStepReader {
    /// Reads the values that a step generates.
    ///
    /// - Returns: `nil` if there are none, or one of them is wrong, which is reported.
    mutating func generate(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Step.Action]? {
        var actions: [ResolvedProgram.Step.Action] = []
        for entry in node.entries {
            let kind = GeneratedValues.Kind(rawValue: entry.value.text?.value ?? "")
            filling.declare(entry.key, type: kind?.type, in: &scope)
            guard let kind, let target = filling.target(of: entry, filledBy: .generator, in: scope, into: &diagnostics) else {
                continue
            }
            if target.isField, kind != .signingKey {
                diagnostics.report(
                    .filledTwice,
                    "'\(entry.key.value)' is a field of the credential, which servers provide; use another name",
                    at: entry.keySpan, notes: [Diagnostic.Note("declared here", at: target.declaration)])
            }
            generated.note(target.slot, kind, entry.key)
            actions.append(.compute(slot: target.slot, kind.function))
        }
        guard !actions.isEmpty, actions.count == node.entries.count else { return nil }
        for (action, entry) in zip(actions, node.entries) {
            if case .compute(let slot, _) = action { fill(slot, at: entry) }
        }
        return actions
    }

    /// Reads the functions of a step, each of which can use the values of those before it.
    ///
    /// - Returns: `nil` if there are none, or one of them is wrong, which is reported.
    mutating func compute(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Step.Action]? {
        var actions: [ResolvedProgram.Step.Action] = []
        for entry in node.entries {
            let reader = ProgramFunctionReader(scope: scope)
            let type = reader.type(of: entry.value)
            filling.declare(entry.key, type: type, in: &scope)
            let function = reader.read(entry.value, into: &diagnostics)
            guard let target = filling.target(of: entry, filledBy: .function, in: scope, into: &diagnostics) else { continue }
            if let declared = target.type, let type, declared != type {
                diagnostics.report(
                    .wrongType, ProgramFunctionReader.complaint(entry.key.value, of: declared, about: type),
                    at: entry.keySpan, notes: [Diagnostic.Note("declared here", at: target.declaration)])
            }
            if let function {
                switch function {
                case .join(let texts), .encode(let texts, _):
                    // The text, encoded or not, is as unpredictable as a value in it.
                    if texts.flatMap(\.slots).contains(where: { generated.kind(of: $0) == .random }) {
                        generated.note(target.slot, .random, entry.key)
                    }
                default: break
                }
                actions.append(.compute(slot: target.slot, function))
                // The next function can use the value.
                fill(target.slot, with: function, at: entry)
            }
        }
        return !actions.isEmpty && actions.count == node.entries.count ? actions : nil
    }

    /// Records that a function fills a slot.
    private mutating func fill(_ slot: Int, with function: ResolvedProgram.Function, at entry: DocumentNode.Entry) {
        let absence: Diagnostic.Note? =
            switch function {
            case .value(let other): scope.values.first { $0.slot == other }.flatMap { scope.absence(of: $0) }
            // As for other booleans, `false` is the absent value.
            case .same: Diagnostic.Note("the texts may differ", at: entry.key.location)
            default: nil
            }
        fill(slot, at: entry)
        guard let absence else { return }
        cleared.insert(slot)
        scope.note(absence, for: slot)
        scope.paths.set(slot, .maybe)
    }

    /// Records that a step fills a slot.
    mutating func fill(_ slot: Int, at entry: DocumentNode.Entry) {
        filling.note(slot, at: entry.key.location)
        scope.paths.set(slot, .present)
    }
}
