// Conditions on values.

extension ProgramScope {
    /// The message for a reference to a parameter in a challenge of a method with variants.
    static let complaintAboutVariants =
        "each variant has its own parameters, but challenges are shared; do not refer to parameters here"

    /// Reads a condition on a value.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of values to which the condition can refer.
    ///   - isRepeated: Whether the condition is checked before each run of repeated steps, so that it can change even if it holds
    ///     at first.
    /// - Returns: `nil` if the condition is wrong.
    func condition(
        _ entry: DocumentNode.Entry, among kinds: Set<Kind>, isRepeated: Bool = false, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Requirement? {
        let name = entry.key.value
        guard TextForm.valueName.accepts(name), let word = entry.value.text?.value,
            ["present", "absent", "true", "false"].contains(word)
        else { return nil }
        guard let value = self[name], kinds.contains(value.kind), let slot = value.slot else {
            guard !incomplete.contains(ProgramScope.kind(of: name)) else { return nil }
            if Self.kind(of: name) == .challenge, kinds.contains(.challenge), self[name] == nil,
                let challenges, diagnostics.reportReplacement(of: "'\(name)'", at: entry.keySpan, by: challenges)
            {
                return nil
            }
            let names = values.filter { kinds.contains($0.kind) }.map(\.reference)
            diagnostics.report(
                .unknownReference,
                kinds.isEmpty
                    ? Self.complaintAboutVariants
                    : kinds.contains(.step)
                        ? "there is no value '\(name)', and no earlier step sets it" : "there is no parameter '\(name)'",
                at: entry.keySpan, meaning: name, among: names)
            return nil
        }
        let words = value.type == .boolean ? ["true", "false"] : ["present", "absent"]
        guard words.contains(word) else {
            diagnostics.report(
                .unknownWord,
                "'\(name)' is \(value.type == .boolean ? "a boolean" : "not a boolean"); write '\(words[0])' or '\(words[1])'",
                at: entry.value.span)
            return nil
        }
        let wantsPresent = word == words[0]
        let requirement = ResolvedProgram.Requirement(slot: slot, isPresent: wantsPresent)
        switch (presence(of: value), wantsPresent) {
        case (.always, true) where isRepeated, (.never, false) where isRepeated: return requirement
        // An override has given the value, and cannot change an inherited condition: it always or never holds.
        case (.always, _) where diagnostics.isInherited(entry.key.location),
            (.never, _) where diagnostics.isInherited(entry.key.location):
            return requirement
        case (.always, true), (.never, false):
            diagnostics.report(
                .needlessMark, "'\(name)' is always \(word) here, so the condition has no effect; remove it",
                at: entry.keySpan)
            return nil
        case (.always, false), (.never, true):
            diagnostics.report(
                .unreachableStep, "'\(name)' is never \(word) here, so this step never runs", at: entry.keySpan)
            return nil
        case (.sometimes, _), (.unknown, _): return requirement
        }
    }
}
