extension ChallengeReader {
    /// - Returns: `nil` if one of them cannot be read whole.
    func schemes(of node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> [ResolvedScheme]? {
        let entries = node.schemeEntries
        let schemes = entries.compactMap { field, entry -> ResolvedScheme? in
            if let name = entry.value.text {
                // The shape check has said why a name is none.
                return TextForm.token.accepts(name.value) ? ResolvedScheme(field: field, name: name, parameters: []) : nil
            }
            let parameters = parameters(of: entry.value, into: &diagnostics)
            guard let name = entry.value.text("scheme", as: .token), let parameters else { return nil }
            return ResolvedScheme(field: field, name: name, parameters: parameters)
        }
        return schemes.count == entries.count ? schemes : nil
    }

    /// - Returns: `nil` if one of them is wrong.
    private func parameters(
        of node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [(name: Located<String>, match: ResolvedChallenge.Match)]? {
        let entries = node["parameters"]?.entries ?? []
        var parameters: [(name: Located<String>, match: ResolvedChallenge.Match)] = []
        var names: [String: SourceLocation] = [:]
        for entry in entries {
            let name = entry.key
            if let first = names.updateValue(name.location, forKey: name.value.lowercased()) {
                diagnostics.report(
                    .duplicateName, "the parameter '\(name.value)' is here already; names have no case", at: entry.keySpan,
                    notes: [Diagnostic.Note("the other one", at: first)])
            }
            let match = match(entry.value, of: "a parameter", into: &diagnostics)
            if TextForm.token.accepts(name.value), let match { parameters.append((name, match)) }
        }
        return parameters.count == entries.count ? parameters : nil
    }
}

extension DocumentNode {
    /// What a challenge says of authentication schemes, by the field.
    var schemeEntries: [(field: ResolvedScheme.Field, entry: Entry)] {
        ResolvedScheme.Field.allCases.compactMap { field in entry(field.rawValue).map { (field, $0) } }
    }
}
