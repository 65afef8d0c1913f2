/// Reads `from.settings`: how a method's parameters follow from the landscape's settings.
struct FromSettingsReader {
    let settings: SettingsScope
    /// The method's fields; `nil` if they cannot be read.
    let fields: FieldScope?
    /// The names of fields that the initialiser asks for.
    let beside: Set<String>

    /// - Returns: `nil` if a value cannot be read.
    func read(
        _ from: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> [(field: Located<String>, template: ResolvedTemplate)]? {
        guard case .fields(let scope) = settings else {
            diagnostics.report(.missingSettings, "the landscape declares no settings", at: from.keySpan)
            return nil
        }
        let templates = TemplateReader(references: .settings(scope))
        var values: [(field: Located<String>, template: ResolvedTemplate)] = []
        for entry in from.value.entries {
            let template = templates.read(entry.value, into: &diagnostics)
            guard let fields, let field = ParametersReader.checkField(entry, in: fields, into: &diagnostics), let template else {
                continue
            }
            template.checkValue(of: field, into: &diagnostics)
            values.append((entry.key, template.resolved))
        }
        checkCompleteness(from, into: &diagnostics)
        return values.count == from.value.entries.count ? values : nil
    }

    private func checkCompleteness(_ from: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) {
        for field in fields?.fields ?? []
        where !field.isOptional && !field.hasDefault && !beside.contains(field.name.value)
            && from.value[field.name.value] == nil
        {
            diagnostics.report(
                .incompleteSettings, "'\(field.name.value)' is required and not among the values from the settings",
                at: from.keySpan,
                notes: [Diagnostic.Note("declared here", at: field.name.location)])
        }
    }
}
