/// Reads the document of a discovery.
struct DiscoveryReader {
    let settings: SettingsScope
    /// The labels of initialisers that take a session.
    let sessionLabels: [String]

    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(_ document: LandscapeDocuments.Method, into diagnostics: inout DiagnosticCollector) -> ResolvedDiscovery? {
        let root = document.root
        root["errors"].checkSingle("a discovery has one error type", into: &diagnostics)
        root["parameters"].checkSingle("a discovery has one parameter struct", into: &diagnostics)
        let errors = ErrorTypeReader.read(root["errors"], into: &diagnostics)
        let reading = root["parameters"]?.entries.first.map {
            StructReader(settings: settings).read($0, errors: errors.scope, into: &diagnostics)
        }
        checkPins(root["pins"], in: reading?.scope, into: &diagnostics)
        checkNames(root, into: &diagnostics)
        if let cancelled = root["cancelled"], let name = cancelled.text {
            errors.scope?.check(name, at: cancelled.span, for: .nothing, into: &diagnostics)
        }
        func steps(_ key: String, slots: [FlowSlot]) -> [ResolvedDiscoveryStep]? {
            guard let node = root[key] else { return [] }
            var reader = DiscoveryStepReader(
                templates: TemplateReader(references: .parameters(reading?.scope), slots: slots), errors: errors.scope)
            let steps = reader.steps(node, into: &diagnostics)
            guard let steps, let span = root.entry(key)?.keySpan else { return steps }
            if key == "obtain" {
                checkSuccess(steps, at: span, into: &diagnostics)
            } else {
                checkCalls(steps, at: node, into: &diagnostics)
            }
            return steps
        }
        let obtain = steps("obtain", slots: [])
        let retire = steps("retire", slots: [.serialNumber, .certificate])
        guard let name = root.text("discovery", as: .typeName), let parameters = reading?.parameters, let errorTypes = errors.types,
            let errorType = errorTypes.first, let obtain, !obtain.isEmpty, let retire
        else { return nil }
        return ResolvedDiscovery(
            name: name, stem: document.stem, origin: document.origin, documentation: root.documentation, parameters: parameters,
            label: root.text("label", as: .memberName), pins: root["pins"]?.text, bearer: root.text("bearer", as: .memberName),
            obtain: obtain, retire: retire, cancelled: root["cancelled"]?.text, errors: errorType)
    }

    private func checkPins(_ node: DocumentNode?, in scope: FieldScope?, into diagnostics: inout DiagnosticCollector) {
        guard let node, let name = node.text, let scope else { return }
        guard let field = scope[name.value] else {
            diagnostics.report(
                .unknownField, "there is no field '\(name.value)'", at: node.span,
                meaning: name.value, among: scope.names)
            return
        }
        guard field.type != nil, field.type != .texts || field.isOptional else { return }
        diagnostics.report(
            .wrongType, "'pins' needs a field of type 'texts' that is not optional", at: node.span,
            notes: [Diagnostic.Note("declared here", at: field.name.location)])
    }

    private func checkNames(_ root: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        for key in ["label", "bearer"] {
            guard let node = root[key], let name = node.text, ReservedNames.discoveryMembers.contains(name.value) else { continue }
            diagnostics.report(.reservedName, "the generated class has another '\(name.value)'", at: node.span)
        }
        if let label = root["label"], let name = label.text, sessionLabels.contains(name.value) {
            diagnostics.report(.duplicateName, "'\(name.value)' is the label of the session already", at: label.span)
        }
        if let bearer = root["bearer"], let name = bearer.text, name.value == (root.text("label") ?? "parameters") {
            diagnostics.report(.duplicateName, "'bearer' and 'label' have one name", at: bearer.span)
        }
    }

    private func checkSuccess(
        _ steps: [ResolvedDiscoveryStep], at span: SourceSpan, into diagnostics: inout DiagnosticCollector
    ) {
        let identities = steps.indices.filter { if case .identity = steps[$0].action { true } else { false } }
        if identities != [steps.count - 1] {
            diagnostics.report(.neverSucceeds, "the steps to a certificate end in their one 'identity', which makes it", at: span)
        }
    }

    private func checkCalls(
        _ steps: [ResolvedDiscoveryStep], at node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) {
        for (step, item) in zip(steps, node.items) {
            if case .call = step.action { continue }
            diagnostics.report(.misplacedKey, "'retire' is made of calls", at: item.entries.first?.keySpan ?? item.span)
        }
    }
}
