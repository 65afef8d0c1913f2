/// Reads fields: parameters of a method, and settings of a landscape.
struct ParametersReader {
    static func read(
        field entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> (resolved: ResolvedField?, field: FieldScope.Field) {
        let node = entry.value
        let type = node.text("type").flatMap(FieldType.init).flatMap { FieldType.ofParameters.contains($0) ? $0 : nil }
        let field = FieldScope.Field(
            name: entry.key, type: type, isOptional: node.flag("optional"), hasDefault: node["default"] != nil,
            allowsHTTP: node.flag("allow-http"), choices: ChoiceReader.read(entry, into: &diagnostics))
        check(field, entry, into: &diagnostics)
        let resolved = type.map {
            ResolvedField(
                name: entry.key, type: $0, documentation: node.documentation, isOptional: field.isOptional,
                defaultText: node["default"]?.text, example: node["example"]?.text, choices: field.choices,
                identifies: node.identifies)
        }
        return (resolved, field)
    }

    private static func check(
        _ field: FieldScope.Field, _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) {
        let node = entry.value
        if ReservedNames.fields.contains(entry.key.value) {
            diagnostics.report(.reservedName, "a field cannot be called '\(entry.key.value)'", at: entry.keySpan)
        }
        if let type = field.type {
            for key in ["default", "example"] {
                guard let value = node[key], let text = value.text else { continue }
                type.check(text.value, at: value.span, allowsHTTP: field.allowsHTTP, into: &diagnostics)
                ChoiceReader.check(key, of: entry, among: field.choices, into: &diagnostics)
            }
        }
        if let type = field.type, type != .url, let entry = node.entry("allow-http") {
            diagnostics.report(.misplacedKey, "'allow-http' is only valid for fields of type 'url'", at: entry.keySpan)
        }
        if let type = field.type, [.secret, .texts, .requestHandler].contains(type), let entry = node.entry("identifies") {
            diagnostics.report(
                .misplacedKey, "a value of the type '\(type.rawValue)' never identifies a credential; remove 'identifies'",
                at: entry.keySpan)
        }
        if let defaultEntry = node.entry("default") {
            if field.type == .secret {
                diagnostics.report(
                    .secretDefault, "'\(entry.key.value)' is a secret; a default would be public", at: defaultEntry.keySpan)
            }
            if field.isOptional {
                let inherited = node.entry("optional").map(\.key.location).flatMap { diagnostics.isInherited($0) ? $0 : nil }
                diagnostics.report(
                    .optionalDefault,
                    inherited == nil
                        ? "'\(entry.key.value)' is optional and has a default; it can only be one of them"
                        : "the inherited '\(entry.key.value)' is optional; write 'optional: false' beside its default",
                    at: defaultEntry.keySpan, notes: inherited.map { [Diagnostic.Note("optional here", at: $0)] } ?? [])
            }
        }
    }
}

extension ParametersReader {
    /// Returns the reason why a field may have no value in steps; `nil` if it always has one.
    static func absence(of entry: DocumentNode.Entry) -> Diagnostic.Note? {
        let location = entry.key.location
        if entry.value.flag("optional") { return Diagnostic.Note("it is optional here", at: location) }
        switch entry.value.fieldType {
        case .boolean: return Diagnostic.Note("it can be false", at: location)
        case .scopes, .texts: return Diagnostic.Note("it can be empty", at: location)
        case .string where entry.value["default"]?.text?.value.isEmpty == true:
            return Diagnostic.Note("it can be empty", at: location)
        default: return nil
        }
    }
}
