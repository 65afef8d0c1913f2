/// Reads what a credential of version 2 consists of, what it is kept apart by, where it may go, and the steps to it.
struct ProgramCredentialReader {
    /// A field as far as it could be read.
    struct Field {
        let entry: DocumentNode.Entry
        let type: FieldType?
        /// What fills it; `nil` if a prompt has to.
        let value: LocatedProgramTemplate?

        var hasValue: Bool { entry.value["from"] != nil }
    }

    private(set) var scope: ProgramScope
    private(set) var fields: [Field] = []

    init(scope: ProgramScope) { self.scope = scope }

    /// - Returns: `nil` if something in it cannot be read; that is reported.
    mutating func read(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Credential? {
        guard let node, case .mapping = node.content else {
            scope.incomplete.insert(.credential)
            return nil
        }
        readFields(node["fields"], into: &diagnostics)
        let separators = separators(node["per"], into: &diagnostics)
        let space = node.text("space").map(ResolvedProgram.Credential.Space.init) ?? .origin
        if space == .directory, let separators, !separators.contains(where: \.namesChallenge) {
            diagnostics.report(
                .spaceWithoutChallenge,
                "all of an origin's directories have the same credential; write what tells them apart under 'per', such as a realm",
                at: node.entry("space")?.value.span ?? node.span)
        }
        let destinations = destinations(node["for"], into: &diagnostics)
        let resolved = fields.compactMap { field -> ResolvedProgram.CredentialField? in
            guard field.type != nil, let slot = scope.slot(of: field.entry.key.value, .credential),
                !field.hasValue || field.value != nil
            else { return nil }
            return ResolvedProgram.CredentialField(
                slot: slot, summary: field.entry.value.documentation.summary, value: field.value?.resolved)
        }
        guard !fields.isEmpty, resolved.count == fields.count, let separators, let space, let destinations else { return nil }
        return ResolvedProgram.Credential(
            fields: resolved, separators: separators.map(\.resolved), space: space, destinations: destinations)
    }

    private mutating func readFields(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) {
        let entries = node?.entries ?? []
        if entries.isEmpty { scope.incomplete.insert(.credential) }
        let reader = ProgramTemplateReader(scope: scope, kinds: [.challenge, .parameter])
        for entry in entries {
            if ReservedNames.fields.contains(entry.key.value) {
                diagnostics.report(.reservedName, "a field cannot be called '\(entry.key.value)'", at: entry.keySpan)
            }
            let type = [FieldType.string, .secret].first { $0.rawValue == entry.value.text("type") }
            let value = entry.value["from"].flatMap { reader.read($0, into: &diagnostics) }
            value?.checkText(isHidden: type == .secret, into: &diagnostics)
            if type == .secret { value?.checkSecret("'\(entry.key.value)'", into: &diagnostics) }
            fields.append(Field(entry: entry, type: type, value: value))
        }
        for field in fields { scope.add(field.entry.key, .credential, type: field.type, absence: field.value?.absence) }
    }

    /// - Returns: `nil` if one of them is wrong.
    private func separators(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> [LocatedProgramTemplate]? {
        let items = node?.items ?? []
        let reader = ProgramTemplateReader(scope: scope, kinds: [.request, .challenge, .parameter])
        let templates = items.compactMap { reader.read($0, into: &diagnostics) }
        for template in templates { template.checkText(isHidden: false, into: &diagnostics) }
        return templates.count == items.count ? templates : nil
    }

    /// - Returns: `nil` if one of them is wrong, or there is none.
    private func destinations(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [Int]? {
        let items = node?.items ?? []
        let reader = ProgramTemplateReader(scope: scope, kinds: [.parameter])
        let slots = items.compactMap { item -> Int? in
            guard let template = reader.read(item, into: &diagnostics) else { return nil }
            guard let reference = template.loneReference, let value = reference.value,
                value.type == .origins || value.type == .url, case .slot(let slot) = reference.piece
            else {
                diagnostics.report(
                    .wrongType, "'for' names parameters of type 'origins' or 'url', each alone, such as \"{servers}\"",
                    at: template.loneReference?.span ?? item.span)
                return nil
            }
            return slot
        }
        return slots.isEmpty || slots.count < items.count ? nil : slots
    }
}

extension ProgramCredentialReader {
    /// Reads the steps, and sees to it that each field is filled once.
    ///
    /// - Returns: `nil` if one of them cannot be read; that is reported.
    func acquire(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Step]? {
        let items = node?.items ?? []
        var asked: [String: SourceLocation] = [:]
        var isWhole = node == nil || !items.isEmpty
        let steps = items.map { item in
            let entries = item["prompt"]?["fields"]?.entries ?? []
            let prompted = entries.compactMap { self.prompted($0, after: &asked, into: &diagnostics) }
            isWhole = isWhole && !entries.isEmpty && prompted.count == entries.count
            return ResolvedProgram.Step.prompt(prompted)
        }
        // With a mistake in a prompt, that one is the reason.
        guard isWhole else { return nil }
        for field in fields where !field.hasValue && asked[field.entry.key.value] == nil {
            let name = field.entry.key.value
            diagnostics.report(
                .unfilledField, "nothing fills '\(name)'; give it 'from', or ask for it in a 'prompt' under 'acquire'",
                at: field.entry.keySpan)
        }
        return steps
    }

    /// - Returns: `nil` if it is no field to ask for.
    private func prompted(
        _ entry: DocumentNode.Entry, after asked: inout [String: SourceLocation], into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.PromptField? {
        let name = entry.key.value
        guard let field = fields.first(where: { $0.entry.key.value == name }) else {
            guard !scope.incomplete.contains(.credential) else { return nil }
            diagnostics.report(
                .unknownField, "the credential has no field '\(name)'", at: entry.keySpan, meaning: name,
                among: fields.filter { !$0.hasValue }.map(\.entry.key.value))
            return nil
        }
        let declaration = Diagnostic.Note("declared here", at: field.entry.key.location)
        if field.hasValue {
            diagnostics.report(
                .filledTwice, "'\(name)' is filled by its 'from'; take it out of the prompt, or its 'from' away", at: entry.keySpan,
                notes: [declaration])
        } else if let first = asked.updateValue(entry.key.location, forKey: name) {
            diagnostics.report(
                .filledTwice, "'\(name)' is asked for already; ask once", at: entry.keySpan,
                notes: [Diagnostic.Note("the other prompt", at: first)])
        }
        if let type = entry.value["type"], let text = type.text, let declared = field.type, text.value != declared.rawValue,
            FieldType(rawValue: text.value) != nil
        {
            diagnostics.report(
                .wrongType, "the credential's field '\(name)' is a '\(declared.rawValue)'", at: type.span,
                suggestion: declared.rawValue, notes: [declaration])
        }
        return scope.slot(of: name, .credential).map {
            ResolvedProgram.PromptField(slot: $0, summary: entry.value.documentation.summary)
        }
    }
}
