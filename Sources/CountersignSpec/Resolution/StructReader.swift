/// Reads the parameter struct of a discovery with the initialisers that are made for it.
struct StructReader {
    let settings: SettingsScope

    /// Reads a struct with its initialisers.
    func read(
        _ entry: DocumentNode.Entry, errors: ErrorScope?, into diagnostics: inout DiagnosticCollector
    ) -> ParametersReader.Reading {
        var reading = ParametersReader.read(entry, into: &diagnostics)
        let initialisers = reading.scope.map {
            InitialiserReader(fields: $0, errors: errors).read(entry.value["initialisers"], into: &diagnostics)
        }
        if let initialisers { reading.parameters?.initialisers = initialisers ?? [] }
        guard let from = entry.value["from"]?.entry("settings") else { return reading }
        let beside = beside(entry.value["from"]?["beside"], in: reading, into: &diagnostics)
        let values = FromSettingsReader(settings: settings, fields: reading.scope, beside: Set(beside.map(\.value)))
            .read(from, into: &diagnostics)
        reading.parameters?.fromSettings = values
        reading.parameters?.besideSettings = beside
        if values == nil { reading.parameters = nil }
        return reading
    }

    private func beside(
        _ node: DocumentNode?, in reading: ParametersReader.Reading, into diagnostics: inout DiagnosticCollector
    ) -> [Located<String>] {
        guard let scope = reading.scope else { return [] }
        return (node?.items ?? []).compactMap { item in
            guard let name = item.text else { return nil }
            guard scope[name.value] != nil else {
                diagnostics.report(
                    .unknownField, "there is no field '\(name.value)'", at: item.span,
                    meaning: name.value, among: scope.names)
                return nil
            }
            return name
        }
    }
}

extension DocumentNode? {
    /// Reports all entries of a mapping but the first.
    func checkSingle(_ message: String, into diagnostics: inout DiagnosticCollector) {
        guard let entries = self?.entries, let first = entries.first else { return }
        for other in entries.dropFirst() {
            diagnostics.report(
                .notExactlyOne, message, at: other.keySpan, notes: [Diagnostic.Note("the first one", at: first.key.location)])
        }
    }
}
