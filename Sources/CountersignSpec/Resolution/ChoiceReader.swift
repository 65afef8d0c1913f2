/// Reads the values of a field of the type `choice`.
struct ChoiceReader {
    /// - Returns: The values; none for fields of other types, and if one of the values is wrong, so that a default is not compared
    ///   with the others.
    static func read(_ field: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) -> [ResolvedChoice] {
        let values = field.value.entry("values")
        guard let type = field.value.fieldType else { return [] }
        guard type == .choice else {
            if let values {
                let place = field.value["type"].map { [Diagnostic.Note("the type", at: $0.span.location)] } ?? []
                diagnostics.report(
                    .misplacedKey, "'values' is only valid for fields of type 'choice'", at: values.keySpan, notes: place)
            }
            return []
        }
        guard let values else {
            diagnostics.report(.missingKey, "a field of type 'choice' needs the key 'values'", at: field.keySpan)
            return []
        }
        // Values of another shape or form, and an empty mapping, have been reported.
        guard case .mapping(let entries) = values.value.content else { return [] }
        if entries.count == 1 {
            let place = values.omitsInherited ? [Diagnostic.Note("the inherited values", at: values.value.span.location)] : []
            diagnostics.report(.emptyCollection, "a choice needs at least two values", at: values.keySpan, notes: place)
        }
        checkOmitted(entries, of: values, into: &diagnostics)
        let valid = entries.filter { TextForm.choice.accepts($0.key.value) && !$0.value.isOmitted }
        checkNames(valid, into: &diagnostics)
        guard valid.count == entries.count, entries.count > 1 else { return [] }
        return valid.map { ResolvedChoice(value: $0.key, summary: $0.value.text?.value.trimmed ?? "") }
    }

    /// Reports a default or an example that is not one of the values.
    ///
    /// If an override omits the value of an inherited one, the override is the place of the mistake.
    static func check(
        _ key: String, of field: DocumentNode.Entry, among choices: [ResolvedChoice], into diagnostics: inout DiagnosticCollector
    ) {
        guard let value = field.value[key], let text = value.text?.value else { return }
        guard let values = field.value.entry("values"), values.omitsInherited, !choices.isEmpty,
            value.span.location.file == values.value.span.location.file, !choices.contains(where: { $0.value.value == text })
        else { return check(text, at: value.span, among: choices, into: &diagnostics) }
        diagnostics.report(
            .unknownWord, "the inherited \(key) '\(text.firstLine)' is omitted here; give '\(field.key.value)' another \(key)",
            at: values.keySpan, notes: [Diagnostic.Note("the \(key)", at: value.span.location)])
    }

    /// Reports a literal that is not one of the values.
    static func check(
        _ text: String, at span: SourceSpan, among choices: [ResolvedChoice], into diagnostics: inout DiagnosticCollector
    ) {
        let values = choices.map(\.value.value)
        guard !values.isEmpty, !values.contains(text) else { return }
        diagnostics.report(
            .unknownWord, "'\(text.firstLine)' is not one of the values", at: span, meaning: text, among: values)
    }

    /// Reports values to omit that are not inherited. Those that are have been removed.
    private static func checkOmitted(
        _ entries: [DocumentNode.Entry], of values: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) {
        let file = values.value.span.location.file
        let inherited = entries.map(\.key).filter { $0.location.file == file }.map(\.value)
        for entry in entries where entry.value.isOmitted {
            if entry.key.location.file == file {
                diagnostics.report(
                    .invalidValue, "only an inherited value can be omitted; write a sentence about '\(entry.key.value)'",
                    at: entry.value.span)
            } else {
                diagnostics.report(
                    .unknownInheritedItem, "the inherited choice has no value '\(entry.key.value)'", at: entry.keySpan,
                    meaning: entry.key.value, among: inherited)
            }
        }
    }

    /// Reports values whose cases would have no name, or the same name.
    private static func checkNames(_ entries: [DocumentNode.Entry], into diagnostics: inout DiagnosticCollector) {
        var first: [String: Located<String>] = [:]
        for entry in entries {
            guard let name = ResolvedChoice.caseName(of: entry.key.value) else {
                diagnostics.report(
                    .invalidName, "no Swift name can be derived from '\(entry.key.value)'; a value needs a letter or a digit",
                    at: entry.keySpan)
                continue
            }
            if let other = first[name] {
                diagnostics.report(
                    .duplicateName, "'\(entry.key.value)' and '\(other.value)' have the same Swift name '\(name)'",
                    at: entry.keySpan, notes: [Diagnostic.Note("the other one", at: other.location)])
            } else {
                first[name] = entry.key
            }
        }
    }
}

extension DocumentNode.Entry {
    /// Whether the values of a choice are inherited and the override omits some of them: the key is then in the overriding file.
    fileprivate var omitsInherited: Bool { keySpan.location.file != value.span.location.file }
}
