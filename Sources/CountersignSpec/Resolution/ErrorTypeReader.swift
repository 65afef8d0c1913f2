/// Reads the error types of a method.
enum ErrorTypeReader {
    /// Reads the error cases of a method, which `swift` can divide into several types.
    ///
    /// - Returns: The types, `nil` if one cannot be read completely, and the cases that steps can name.
    static func read(
        of root: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> (types: [ResolvedErrorType]?, scope: ErrorScope) {
        let method = root.text("method", as: .typeName) ?? Located(root.text("method") ?? "", at: root.span.location)
        let usual = Located("\(method.value)Error", at: root.entry("errors")?.key.location ?? method.location)
        let entries = root["errors"]?.entries ?? []
        let cases = entries.map { errorCase($0, into: &diagnostics) }
        let scope = ErrorScope(typeName: usual.value, cases: cases.map(\.scope))
        let resolved = cases.compactMap(\.resolved)
        guard resolved.count == cases.count else { return (nil, scope) }
        let documentation = Documentation(
            summary: "The errors of the method '\(root.text("title")?.trimmed ?? method.value)'.")
        guard let parts = root["swift"]?["errors"]?.entries, !parts.isEmpty else {
            return (
                resolved.isEmpty ? [] : [ResolvedErrorType(name: usual, documentation: documentation, cases: resolved)], scope
            )
        }
        let types = parts.map { part in
            let names = part.value.items.compactMap(\.text)
            for (name, item) in zip(names, part.value.items) { scope.checkName(name, at: item.span, into: &diagnostics) }
            return ResolvedErrorType(
                name: part.key, documentation: documentation,
                cases: names.compactMap { name in resolved.first { $0.name.value == name.value } })
        }
        for entry in entries {
            let holders = types.filter { $0.cases.contains { $0.name.value == entry.key.value } }
            guard holders.count != 1 else { continue }
            diagnostics.report(
                .notExactlyOne,
                holders.isEmpty
                    ? "no error type of 'swift' has the case '\(entry.key.value)'"
                    : "two error types of 'swift' have the case '\(entry.key.value)'", at: entry.keySpan)
        }
        return (types, scope)
    }

    private static func errorCase(
        _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> (resolved: ResolvedErrorCase?, scope: ErrorScope.Case) {
        if ReservedNames.cases.contains(entry.key.value) {
            diagnostics.report(.reservedName, "an error case cannot be called '\(entry.key.value)'", at: entry.keySpan)
        }
        let node = entry.value
        let entries = node["carries"]?.entries ?? []
        let carries = entries.compactMap { entry in
            entry.value.text.flatMap { ResolvedErrorCase.CarriedType(rawValue: $0.value) }.map { (label: entry.key, type: $0) }
        }
        guard carries.count == entries.count else { return (nil, ErrorScope.Case(name: entry.key, carries: nil)) }
        let resolved = ResolvedErrorCase(
            name: entry.key, documentation: node.documentation, reason: node.text("reason")?.trimmed,
            recovery: node.text("recovery")?.trimmed, since: node.text("since")?.trimmed, carries: carries)
        return (resolved, ErrorScope.Case(name: entry.key, carries: carries))
    }
}
