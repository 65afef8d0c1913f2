/// Reads the operations of a landscape, whose steps can refer to its settings and to the operation's own parameters.
struct OperationReader {
    private let settings: [DocumentNode.Entry]
    private let scope: SettingsScope
    private let provenance: Provenance

    /// - Returns: The operations that could be read completely.
    static func read(
        _ documents: LandscapeDocuments, settings: SettingsScope, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedOperation] {
        let reader = OperationReader(
            settings: documents.landscape?["settings"]?.entries ?? [], scope: settings, provenance: documents.provenance)
        return (documents.landscape?["operations"]?.entries ?? []).compactMap { reader.read($0, into: &diagnostics) }
    }

    private func read(_ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) -> ResolvedOperation? {
        let node = entry.value
        if let word = node.text {
            // The word has removed an inherited operation already, and another word has been reported.
            guard word.value == SpecLanguage.omitted.name else { return nil }
            diagnostics.report(
                .unknownInheritedOperation, "there is no inherited operation '\(entry.key.value)'", at: entry.keySpan)
            return nil
        }
        check(entry, "an operation", among: ReservedNames.operations, into: &diagnostics)
        let steps = (node["versions"]?.entries ?? []).compactMap { $0.value["steps"] }
        guard hasSettings(for: entry, steps, into: &diagnostics) else { return nil }
        let parameters = readParameters(node["parameters"]?.entries ?? [], into: &diagnostics)
        let results = readResults(node["results"]?.entries ?? [], into: &diagnostics)
        ProgramDocumentReader.checkUse(of: node["documents"], by: steps, provenance, into: &diagnostics)
        let entries = node["versions"]?.entries ?? []
        let versions = entries.compactMap { read(version: $0, of: entry, into: &diagnostics) }
        let stem = node["types"] == nil ? ResolvedOperation.stem(of: entry.key.value) : node.text("types", as: .typeName)?.value
        guard let parameters, let results, let stem, !versions.isEmpty, versions.count == entries.count else { return nil }
        return ResolvedOperation(
            name: entry.key, stem: stem, documentation: node.documentation,
            ends: node.text("ends").flatMap(ResolvedOperation.End.init) ?? .nothing,
            parameters: node["parameters"] == nil ? nil : parameters,
            usesSettings: node["parameters"] == nil
                || versions.contains { $0.program.slots.contains { $0.name.value.hasPrefix(Self.settingsPrefix) } },
            results: results, versions: versions)
    }

    /// Whether the landscape has settings, or the operation needs none.
    private func hasSettings(
        for entry: DocumentNode.Entry, _ steps: [DocumentNode], into diagnostics: inout DiagnosticCollector
    ) -> Bool {
        guard case .none = scope else { return true }
        let parts = steps + [entry.value["documents"]].compactMap(\.self)
        let name = parts.flatMap(\.names).first { $0.hasPrefix(Self.settingsPrefix) }
        guard name != nil || entry.value["parameters"] == nil else { return true }
        diagnostics.report(
            .missingSettings,
            name.map { "'{\($0)}' is a setting of the landscape, but it declares no settings" }
                ?? "an operation without 'parameters' needs the landscape's settings, but it declares none", at: entry.keySpan)
        return false
    }

    // MARK: Parameters and results

    /// - Returns: `nil` if one of them cannot be read; that is reported.
    private func readParameters(
        _ entries: [DocumentNode.Entry], into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedField]? {
        let fields = entries.compactMap { entry -> ResolvedField? in
            let field = ParametersReader.read(field: entry, into: &diagnostics).resolved
            check(entry, "a parameter", among: ["hashValue"], into: &diagnostics)
            if field?.type == .origins, let fallback = entry.value.entry("default") {
                diagnostics.report(
                    .misplacedKey,
                    "'default' is not allowed for 'origins'; the application must provide the servers; "
                        + "for a server that is always the same, use the type 'url'",
                    at: fallback.keySpan)
            }
            // The shape check has reported types that only methods can have.
            return field.flatMap { FieldType.ofOperations.contains($0.type) ? $0 : nil }
        }
        return fields.count == entries.count ? fields : nil
    }

    /// - Returns: `nil` if one of them cannot be read; that is reported.
    private func readResults(
        _ entries: [DocumentNode.Entry], into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedOperation.ResultField]? {
        let results = entries.compactMap { entry -> ResolvedOperation.ResultField? in
            check(entry, "a result", among: ReservedNames.fields.union(["hashValue"]), into: &diagnostics)
            guard let type = Self.type(of: entry) else { return nil }
            if type == .boolean, let optional = entry.value.entry("optional") {
                diagnostics.report(
                    .misplacedKey, "a boolean cannot be optional, because an absent value is false; remove 'optional'",
                    at: optional.keySpan)
            }
            return ResolvedOperation.ResultField(
                name: entry.key, type: type, documentation: entry.value.documentation, isOptional: entry.value.flag("optional"))
        }
        return results.count == entries.count ? results : nil
    }

    private static func type(of result: DocumentNode.Entry) -> ResolvedOperation.ResultType? {
        result.value.text("type").flatMap(ResolvedOperation.ResultType.init)
    }

    // MARK: Versions

    private func read(
        version entry: DocumentNode.Entry, of operation: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedOperation.Version? {
        check(entry, "a version", among: ReservedNames.operations, into: &diagnostics)
        let given =
            settings.map { Given($0, isSetting: true) }
            + (operation.value["parameters"]?.entries ?? []).map { Given($0, isSetting: false) }
        guard let whole = program(entry.value, of: operation, knowing: given, into: &diagnostics) else { return nil }
        // The steps are read again with only the settings and parameters that values and conditions name, so that no slots are
        // unused. If that is not enough, for example for a setting in the name of a header field, all of them have slots.
        let steps = [entry.value["steps"]].compactMap(\.self)
        let documents = ProgramDocumentReader.entries(of: operation.value["documents"], namedBy: steps)
        let names = Set((steps + documents.map(\.value)).flatMap(\.names))
        var known = DiagnosticCollector()
        let lean = program(entry.value, of: operation, knowing: given.filter { names.contains($0.reference) }, into: &known)
        let read = lean ?? whole
        return ResolvedOperation.Version(name: entry.key, program: read.program, results: read.results)
    }

    /// - Returns: The steps, and the slots of the results; `nil` if something cannot be read, which is reported.
    private func program(
        _ node: DocumentNode, of operation: DocumentNode.Entry, knowing given: [Given],
        into diagnostics: inout DiagnosticCollector
    ) -> (program: ResolvedProgram, results: [Int])? {
        var scope = ProgramScope()
        scope.isOperation = true
        scope.kindsInSteps.insert(.result)
        if case .fields(nil) = self.scope { scope.incomplete.insert(.parameter) }
        if let parameters = operation.value["parameters"], parameters.entries.isEmpty { scope.incomplete.insert(.parameter) }
        if let results = operation.value["results"], results.entries.isEmpty { scope.incomplete.insert(.result) }
        for value in given {
            scope.add(
                Located(value.reference, at: value.entry.key.location), .parameter,
                type: value.type.flatMap { ProgramType($0) }, absence: ParametersReader.absence(of: value.entry))
        }
        let results = (operation.value["results"]?.entries ?? []).map { entry in
            ProgramCredentialReader.Field(
                entry: entry, type: Self.type(of: entry).flatMap { ProgramType(rawValue: $0.rawValue) }, value: nil)
        }
        for result in results { scope.add(result.entry.key, .result, type: result.type, isPending: true) }
        var reader = ProgramStepReader(
            .operation, scope: scope, fields: results, errors: ErrorScope(typeName: operation.key.value, cases: []),
            documents: operation.value["documents"])
        guard let steps = reader.read(node["steps"], into: &diagnostics) else { return nil }
        let slots = reader.scope.slots { name in
            given.first { $0.reference == name.value && $0.entry.key.location == name.location }.map { value in
                ResolvedProgram.Filling(by: value.entry, at: name.location, value.piece)
            }
        }
        let program = ResolvedProgram(
            name: operation.key, stem: operation.key.value, documentation: node.documentation, parameters: [], slots: slots,
            challenges: [],
            credential: ResolvedProgram.Credential(fields: [], separators: [], space: .origin, destinations: []), acquire: steps,
            attach: [], rejections: [], end: [])
        return (program, results.compactMap { reader.scope.slot(of: $0.entry.key.value, .result) })
    }

    private static let settingsPrefix = "settings."

    /// A value that the application gives.
    private struct Given {
        let entry: DocumentNode.Entry
        let isSetting: Bool

        init(_ entry: DocumentNode.Entry, isSetting: Bool) {
            self.entry = entry
            self.isSetting = isSetting
        }

        /// The reference as in braces.
        var reference: String { isSetting ? settingsPrefix + entry.key.value : entry.key.value }

        /// The type; `nil` if it is not valid for the value, which is reported.
        var type: FieldType? {
            entry.value.fieldType.flatMap { isSetting || FieldType.ofOperations.contains($0) ? $0 : nil }
        }

        var piece: ResolvedTemplate.Piece {
            let type = type ?? .string
            return isSetting ? .settings(entry.key.value, type) : .parameter(entry.key.value, type)
        }
    }

    private func check(
        _ entry: DocumentNode.Entry, _ what: String, among reserved: Set<String>, into diagnostics: inout DiagnosticCollector
    ) {
        guard reserved.contains(entry.key.value) else { return }
        diagnostics.report(.reservedName, "\(what) cannot be called '\(entry.key.value)'", at: entry.keySpan)
    }
}

/// The rule that every parameter of an operation is used by one of its versions, and every optional result is filled by one.
enum UnusedOperationValues {
    static func check(
        _ operation: ResolvedOperation, _ provenance: Provenance, into diagnostics: inout DiagnosticCollector
    ) {
        let used = Set(
            operation.versions.flatMap { version in
                UnusedProgramValues.named(by: version.program).map { version.program.slots[$0] }
                    .filter { $0.source == .parameter }.map(\.name.value)
            })
        for parameter in operation.parameters ?? []
        where !used.contains(parameter.name.value) && !provenance.isInherited(parameter.name.location) {
            diagnostics.report(
                .unusedParameter, "the parameter '\(parameter.name.value)' is not used", at: parameter.name.span)
        }
        for (index, result) in operation.results.enumerated()
        where result.isOptional && !operation.versions.contains(where: { $0.program.filled.contains($0.results[index]) })
            && !provenance.isInherited(result.name.location)
        {
            diagnostics.report(
                .unfilledField,
                "nothing sets '\(result.name.value)'; capture it in an answer of an 'http' step, or remove it",
                at: result.name.span)
        }
    }
}

extension ResolvedProgram {
    /// The slots that the steps fill.
    fileprivate var filled: Set<Int> {
        let steps = acquire.flatMap(\.all)
        let captured = steps.compactMap(\.call).flatMap(\.answers).flatMap(\.pattern.captures).map(\.slot)
        return Set(captured + steps.compactMap(\.computed).map(\.slot))
    }
}
