/// Reads the operations of a landscape, the steps of which know its settings.
struct OperationReader {
    private let settings: [DocumentNode.Entry]
    /// Whether all settings could be read.
    private let isWhole: Bool

    /// - Returns: the operations that could be read whole.
    static func read(
        _ documents: LandscapeDocuments, settings: SettingsScope, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedOperation] {
        guard let operations = documents.landscape?.entry("operations") else { return [] }
        guard case .fields(let fields) = settings else {
            diagnostics.report(
                .missingSettings, "an operation needs the landscape's settings, and it declares none", at: operations.keySpan)
            return []
        }
        let reader = OperationReader(settings: documents.landscape?["settings"]?.entries ?? [], isWhole: fields != nil)
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
        let versions = entries.compactMap { read(version: $0, of: entry.key, into: &diagnostics) }
        guard !versions.isEmpty, versions.count == entries.count else { return nil }
        return ResolvedOperation(
            name: entry.key, documentation: node.documentation,
            ends: node.text("ends").flatMap(ResolvedOperation.End.init) ?? .nothing, versions: versions)
    }

    private func read(
        version entry: DocumentNode.Entry, of operation: Located<String>, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedOperation.Version? {
        checkName(entry, "a version", into: &diagnostics)
        guard let whole = program(entry.value, of: operation, knowing: settings, into: &diagnostics) else { return nil }
        // Once more with the settings that values and conditions name, which then have no slots that nothing needs. Where that is not all, as
        // with a setting in the name of a header field, all have theirs.
        let names = Set(entry.value.names)
        let named = settings.filter { names.contains(Self.reference(to: $0)) }
        var known = DiagnosticCollector()
        let lean = program(entry.value, of: operation, knowing: named, into: &known)
        return ResolvedOperation.Version(name: entry.key, program: lean ?? whole)
    }

    private func program(
        _ node: DocumentNode, of operation: Located<String>, knowing settings: [DocumentNode.Entry],
        into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram? {
        var scope = ProgramScope()
        scope.isOperation = true
        if !isWhole { scope.incomplete.insert(.parameter) }
        for entry in settings { scope.add(setting: entry, as: Self.reference(to: entry)) }
        var reader = ProgramStepReader(
            .operation, scope: scope, fields: [], errors: ErrorScope(typeName: operation.value, cases: []))
        guard let steps = reader.read(node["steps"], into: &diagnostics) else { return nil }
        let slots = reader.scope.slots { name in
            settings.first { Self.reference(to: $0) == name.value }.map { entry in
                ResolvedProgram.Filling(
                    by: entry, at: name.location, ResolvedTemplate.Piece.settings(entry.key.value, entry.value.fieldType ?? .string)
                )
            }
        }
        return ResolvedProgram(
            name: operation, stem: operation.value, documentation: node.documentation, parameters: [], slots: slots,
            challenges: [],
            credential: ResolvedProgram.Credential(fields: [], separators: [], space: .origin, destinations: []), acquire: steps,
            attach: [], rejections: [], end: [])
    }

    private static func reference(to setting: DocumentNode.Entry) -> String { "settings.\(setting.key.value)" }

    private func checkName(_ entry: DocumentNode.Entry, _ what: String, into diagnostics: inout DiagnosticCollector) {
        guard ReservedNames.operations.contains(entry.key.value) else { return }
        diagnostics.report(.reservedName, "\(what) cannot be called '\(entry.key.value)'", at: entry.keySpan)
    }
}

extension ProgramScope {
    fileprivate mutating func add(setting entry: DocumentNode.Entry, as reference: String) {
        let node = entry.value
        add(
            Located(reference, at: entry.key.location), .parameter, type: node.fieldType.flatMap { ProgramType($0) },
            absence: ParametersReader.absence(of: entry))
    }
}
