/// Reads the initialisers of a parameter struct.
struct InitialiserReader {
    let fields: FieldScope
    let errors: ErrorScope?

    /// - Returns: `nil` if one of the initialisers cannot be read.
    func read(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedInitialiser]? {
        let items = node?.items ?? []
        let initialisers = items.compactMap { initialiser($0, into: &diagnostics) }
        checkLabels(of: initialisers, at: items, into: &diagnostics)
        return initialisers.count == items.count ? initialisers : nil
    }

    /// Reports initialisers with the same parameters in the same order, which Swift cannot distinguish.
    private func checkLabels(
        of initialisers: [ResolvedInitialiser], at items: [DocumentNode], into diagnostics: inout DiagnosticCollector
    ) {
        var places: [[String]: SourceLocation] = [:]
        for initialiser in initialisers {
            guard let first = places.updateValue(initialiser.location, forKey: initialiser.fields.map(\.value)),
                let item = items.first(where: { $0.span.location == initialiser.location })
            else { continue }
            diagnostics.report(
                .duplicateName, "another initialiser has the same fields in the same order; remove one of them",
                at: item.entry("fields")?.keySpan ?? item.span, notes: [Diagnostic.Note("the other one", at: first)])
        }
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
