// Prompts to the application: for fields that a spec names, or for those of a server's page.

extension ProgramStepReader {
    /// - Returns: `nil` if there are no fields, or one of them is wrong.
    mutating func prompt(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.PromptField]? {
        let entries = node["fields"]?.entries ?? []
        var prompted: [ResolvedProgram.PromptField] = []
        for entry in entries {
            let type = ProgramType.named(entry.value.text("type"), among: Self.promptTypes)
            filling.declare(entry.key, type: type, in: &scope)
            guard let target = filling.target(of: entry, filledBy: .prompt, in: scope, into: &diagnostics) else { continue }
            checkType(of: target, entry, into: &diagnostics)
            prompted.append(
                .init(
                    slot: target.slot, summary: entry.value.documentation.summary,
                    type: target.type == .secret ? .secret : target.type == .identity ? .identity : .text))
        }
        for (field, entry) in zip(prompted, entries) where prompted.count == entries.count { fill(field.slot, at: entry) }
        return !entries.isEmpty && prompted.count == entries.count ? prompted : nil
    }

    /// The types of values for which a prompt can ask.
    private static let promptTypes: [ProgramType] = [.string, .secret, .identity]

    private func checkType(
        of target: ProgramFilling.Target, _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) {
        guard let node = entry.value["type"], let type = ProgramType.named(node.text?.value, among: Self.promptTypes) else {
            return
        }
        let declaration = [Diagnostic.Note("declared here", at: target.declaration)]
        if scope[entry.key.value]?.isChoice == true {
            diagnostics.report(
                .wrongType, "'\(entry.key.value)' is a choice, which a prompt cannot ask for", at: node.span, notes: declaration)
            return
        }
        guard let declared = target.type, type != declared else { return }
        if Self.promptTypes.contains(declared) {
            diagnostics.report(
                .wrongType, "'\(entry.key.value)' is a '\(declared.rawValue)'", at: node.span,
                suggestion: declared.rawValue, notes: declaration)
        } else {
            diagnostics.report(
                .wrongType, "'\(entry.key.value)' is a \(declared.rawValue), which a prompt cannot ask for", at: node.span,
                notes: declaration)
        }
    }

    /// Reads a prompt for the fields of a server's page.
    ///
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    mutating func ask(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Step.Action? {
        let json = node["json"].flatMap {
            ProgramFunctionReader(scope: scope).slot(
                $0, of: [.json], "'json' must be a whole reference to a value that an answer captured with 'type: json'",
                into: &diagnostics)
        }
        guard let answers = node["answers"], let name = answers.text, TextForm.memberName.accepts(name.value) else { return nil }
        let entry = DocumentNode.Entry(key: name, keySpan: answers.span, keyTextStart: nil, value: answers)
        filling.declare(name, type: .answers, in: &scope)
        guard let target = filling.target(of: entry, filledBy: .prompt, in: scope, into: &diagnostics) else { return nil }
        if let declared = target.type, declared != .answers {
            diagnostics.report(
                .wrongType, "'\(name.value)' is a '\(declared.rawValue)', but answers are several texts; use another name",
                at: answers.span, notes: [Diagnostic.Note("declared here", at: target.declaration)])
        }
        fill(target.slot, at: entry)
        let page = ResolvedProgram.PromptPageKey.allCases.compactMap { key in
            node.text(key.rawValue).map { (key: key, text: $0) }
        }
        let limit = node["within"] == nil ? 120_000 : node.text("within", as: .duration)?.value.milliseconds
        guard let json, let limit else { return nil }
        return .ask(page, of: json, into: target.slot, within: limit)
    }
}
