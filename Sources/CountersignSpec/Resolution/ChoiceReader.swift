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
            diagnostics.report(.emptyCollection, "a choice needs at least two values", at: values.keySpan)
        }
        for entry in entries where entry.value.text?.value == SpecLanguage.omitted.name {
            diagnostics.report(
                .invalidValue, "a value cannot be omitted, only added; write a sentence about '\(entry.key.value)'",
                at: entry.value.span)
        }
        let valid = entries.filter { TextForm.choice.accepts($0.key.value) }
        checkNames(valid, into: &diagnostics)
        guard valid.count == entries.count, entries.count > 1 else { return [] }
        return valid.map { ResolvedChoice(value: $0.key, summary: $0.value.text?.value.trimmed ?? "") }
    }

    /// Reports a default, an example or a literal that is not one of the values.
    static func check(
        _ text: String, at span: SourceSpan, among choices: [ResolvedChoice], into diagnostics: inout DiagnosticCollector
    ) {
        let values = choices.map(\.value.value)
        guard !values.isEmpty, !values.contains(text) else { return }
        diagnostics.report(
            .unknownWord, "'\(text.firstLine)' is not one of the values", at: span, meaning: text, among: values)
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
