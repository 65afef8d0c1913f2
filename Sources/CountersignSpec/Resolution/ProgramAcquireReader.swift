/// Reads the steps to a credential of version 2, and sees to it that each of its fields is filled once.
struct ProgramAcquireReader {
    /// The values, of which those that a step fills are known from that step on.
    private(set) var scope: ProgramScope
    private var fields: ProgramFilling

    init(scope: ProgramScope, fields: [ProgramCredentialReader.Field]) {
        self.scope = scope
        self.fields = ProgramFilling(fields: fields, isWhole: !scope.incomplete.contains(.credential))
    }

    /// - Returns: `nil` if one of them cannot be read; that is reported.
    mutating func read(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Step]? {
        let items = node?.items ?? []
        let steps = items.compactMap { item -> ResolvedProgram.Step? in
            let step = step(item, into: &diagnostics)
            // What a step fills that cannot be read is not known.
            if step == nil { scope.fillAll() }
            return step
        }
        scope.fillAll()
        // With a mistake in a step, that one is the reason.
        guard node == nil || !items.isEmpty, steps.count == items.count else { return nil }
        fields.checkAll(into: &diagnostics)
        return steps
    }

    private mutating func step(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Step? {
        if let prompt = node["prompt"] { return self.prompt(prompt, into: &diagnostics).map { .prompt($0) } }
        return node["http"].flatMap { call($0, into: &diagnostics) }.map { .http($0) }
    }

    /// - Returns: `nil` if there is no field to ask for, or a wrong one.
    private mutating func prompt(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.PromptField]? {
        let entries = node["fields"]?.entries ?? []
        var isWhole = !entries.isEmpty
        var prompted: [ResolvedProgram.PromptField] = []
        for entry in entries {
            let name = entry.key.value
            guard let field = fields.field(of: entry, filledBy: "a prompt", into: &diagnostics) else {
                isWhole = false
                continue
            }
            checkType(of: field, entry, into: &diagnostics)
            fields.fill([entry.key])
            scope.fill(name)
            let slot = scope.slot(of: name, .credential)
            if let slot { prompted.append(.init(slot: slot, summary: entry.value.documentation.summary)) }
        }
        return isWhole && prompted.count == entries.count ? prompted : nil
    }

    private func checkType(
        of field: ProgramCredentialReader.Field, _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) {
        guard let node = entry.value["type"], let type = node.text.flatMap({ FieldType(rawValue: $0.value) }),
            let declared = field.type, type != declared
        else { return }
        let declaration = [Diagnostic.Note("declared here", at: field.entry.key.location)]
        if declared == .duration {
            diagnostics.report(
                .wrongType,
                "'\(entry.key.value)' is a duration, which no one is asked for; capture it from an answer of an 'http' step",
                at: node.span, notes: declaration)
        } else {
            diagnostics.report(
                .wrongType, "the credential's field '\(entry.key.value)' is a '\(declared.rawValue)'", at: node.span,
                suggestion: declared.rawValue, notes: declaration)
        }
    }

    private mutating func call(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Call? {
        var answers = ProgramAnswerReader(scope: scope, fields: fields)
        let resolved = answers.read(node.entry("answers"), into: &diagnostics)
        let call = ProgramCallReader(scope: scope).read(node, answers: resolved, into: &diagnostics)
        fields.fill(answers.filled.map(\.name))
        for field in answers.filled { scope.fill(field.name.value, absence: field.absence, isURL: field.isURL) }
        return call
    }
}

/// The fields of a credential while its steps are read: each is filled once.
struct ProgramFilling {
    private let fields: [ProgramCredentialReader.Field]
    /// Whether all fields could be read.
    private let isWhole: Bool
    /// Where a step fills a field, by name.
    private var places: [String: SourceLocation] = [:]

    init(fields: [ProgramCredentialReader.Field], isWhole: Bool) {
        self.fields = fields
        self.isWhole = isWhole
    }

    /// The field that a step fills, by its name; one that does not exist or has been filled is reported.
    func field(
        of entry: DocumentNode.Entry, filledBy filler: String, into diagnostics: inout DiagnosticCollector
    ) -> ProgramCredentialReader.Field? {
        let name = entry.key.value
        guard let field = fields.first(where: { $0.entry.key.value == name }) else {
            if isWhole {
                diagnostics.report(
                    .unknownField, "the credential has no field '\(name)'", at: entry.keySpan, meaning: name,
                    among: fields.filter { !$0.hasValue }.map(\.entry.key.value))
            }
            return nil
        }
        if field.hasValue {
            diagnostics.report(
                .filledTwice, "'\(name)' is filled by its 'from'; take that away, or do not fill it by \(filler)",
                at: entry.keySpan,
                notes: [Diagnostic.Note("declared here", at: field.entry.key.location)])
        } else if let first = places[name] {
            diagnostics.report(
                .filledTwice, "a step before this one fills '\(name)'; fill it once", at: entry.keySpan,
                notes: [Diagnostic.Note("the other step", at: first)])
        }
        return field
    }

    /// Notes what a step fills.
    mutating func fill(_ names: [Located<String>]) {
        for name in names where places[name.value] == nil { places[name.value] = name.location }
    }

    /// Reports the fields that nothing fills.
    func checkAll(into diagnostics: inout DiagnosticCollector) {
        for field in fields where !field.hasValue && places[field.entry.key.value] == nil {
            let name = field.entry.key.value
            diagnostics.report(
                .unfilledField,
                field.type == .duration
                    ? "nothing fills '\(name)'; capture it from an answer of an 'http' step under 'acquire'"
                    : "nothing fills '\(name)'; give it 'from', or fill it by a 'prompt' or an answer of 'http' under 'acquire'",
                at: field.entry.keySpan)
        }
    }
}
