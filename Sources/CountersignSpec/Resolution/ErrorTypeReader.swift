/// Reads the error type of a method.
enum ErrorTypeReader {
    /// - Returns: The type, `nil` if it cannot be read whole, and what steps can name, `nil` if the cases cannot be read.
    static func read(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> (type: ResolvedErrorType?, scope: ErrorScope?) {
        guard let entry = node?.entries.first, case .mapping(let entries)? = entry.value["cases"]?.content else {
            return (nil, nil)
        }
        let cases = entries.map { errorCase($0, into: &diagnostics) }
        let scope = ErrorScope(typeName: entry.key.value, cases: cases.map(\.scope))
        let resolved = cases.compactMap(\.resolved)
        guard resolved.count == cases.count else { return (nil, scope) }
        return (ResolvedErrorType(name: entry.key, documentation: entry.value.documentation, cases: resolved), scope)
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
