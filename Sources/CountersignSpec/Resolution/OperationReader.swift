/// Reads the operations of a landscape.
struct OperationReader {
    private let templates: TemplateReader

    /// - Returns: the operations that could be read whole.
    static func read(
        _ documents: LandscapeDocuments, settings: SettingsScope, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedOperation] {
        guard let operations = documents.landscape?.entry("operations") else { return [] }
        guard case .fields(let scope) = settings else {
            diagnostics.report(
                .missingSettings, "an operation needs the landscape's settings, and it declares none", at: operations.keySpan)
            return []
        }
        let reader = OperationReader(templates: TemplateReader(settings: scope))
        return operations.value.entries.compactMap { reader.read($0, into: &diagnostics) }
    }

    private func read(_ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) -> ResolvedOperation? {
        let node = entry.value
        if let word = node.text {
            // What is inherited has been taken away with the word; another word has been reported.
            guard word.value == SpecLanguage.omitted.name else { return nil }
            diagnostics.report(
                .unknownInheritedOperation, "there is no inherited operation '\(entry.key.value)'", at: entry.keySpan)
            return nil
        }
        checkName(entry, "an operation", into: &diagnostics)
        let entries = node["versions"]?.entries ?? []
        let versions = entries.compactMap { read(version: $0, into: &diagnostics) }
        guard !versions.isEmpty, versions.count == entries.count else { return nil }
        return ResolvedOperation(
            name: entry.key, documentation: node.documentation,
            ends: node.text("ends").flatMap(ResolvedOperation.End.init) ?? .nothing, versions: versions)
    }

    private func read(
        version entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedOperation.Version? {
        let node = entry.value
        checkName(entry, "a version", into: &diagnostics)
        let statuses = node.statuses(into: &diagnostics)
        guard let (method, target) = node["send"]?.requestTarget, let url = templates.read(target, into: &diagnostics) else {
            return nil
        }
        url.checkURL(allowsHTTP: node.flag("allow-http"), into: &diagnostics)
        guard !statuses.isEmpty else { return nil }
        return ResolvedOperation.Version(
            name: entry.key, documentation: node.documentation, method: .init(method), url: url.resolved, statuses: statuses)
    }

    private func checkName(_ entry: DocumentNode.Entry, _ what: String, into diagnostics: inout DiagnosticCollector) {
        guard ReservedNames.operations.contains(entry.key.value) else { return }
        diagnostics.report(.reservedName, "\(what) cannot be called '\(entry.key.value)'", at: entry.keySpan)
    }
}

extension ResolvedOperation.Method {
    init(_ method: ResolvedProgram.Call.Method) {
        self =
            switch method {
            case .get: .get
            case .post: .post
            case .put: .put
            case .delete: .delete
            }
    }
}
