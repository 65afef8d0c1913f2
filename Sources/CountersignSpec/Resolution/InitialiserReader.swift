/// Reads the initialisers of a parameter struct.
struct InitialiserReader {
    let fields: FieldScope
    let errors: ErrorScope?

    /// - Returns: `nil` if one of the initialisers cannot be read.
    func read(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedInitialiser]? {
        let items = node?.items ?? []
        let initialisers = items.compactMap { initialiser($0, into: &diagnostics) }
        return initialisers.count == items.count ? initialisers : nil
    }

    private func initialiser(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedInitialiser? {
        var names: [Located<String>] = []
        for item in node["fields"]?.items ?? [] {
            guard let name = item.text else { return nil }
            if fields[name.value] == nil {
                diagnostics.report(
                    .unknownField, "there is no field '\(name.value)'", at: item.span,
                    meaning: name.value, among: fields.names)
                return nil
            }
            if names.contains(where: { $0.value == name.value }) {
                diagnostics.report(.duplicateName, "'\(name.value)' is listed twice", at: item.span)
                return nil
            }
            names.append(name)
        }
        for field in fields.fields
        where !field.isOptional && !field.hasDefault && !names.contains(where: { $0.value == field.name.value }) {
            diagnostics.report(
                .missingKey, "the initialiser lacks the required field '\(field.name.value)'",
                at: node.entry("fields")?.keySpan ?? node.span,
                notes: [Diagnostic.Note("declared here", at: field.name.location)])
        }
        var emptyText: Located<String>?
        if let node = node["throws"], let name = node.text {
            errors?.check(name, at: node.span, for: .detail, into: &diagnostics)
            emptyText = name
        }
        return ResolvedInitialiser(location: node.span.location, fields: names, emptyText: emptyText)
    }
}
