// The struct of a method's parameters, with its initialisers.

extension SurfaceMethodReader {
    /// Reads the struct of a method's parameters, with its initialisers.
    ///
    /// - Parameter others: The parameters that are not part of the struct.
    func parameters(
        of root: DocumentNode, without others: [String] = [], surface: DocumentNode?,
        into diagnostics: inout DiagnosticCollector
    ) -> ResolvedParameters? {
        var node = root["parameters"]
        if !others.isEmpty, let entries = node?.entries {
            node?.content = .mapping(entries.filter { !others.contains($0.key.value) })
        }
        guard let node, !node.entries.isEmpty else {
            if let method = root.entry("method") {
                diagnostics.report(.missingKey, "a method of this surface needs the key 'parameters'", at: method.keySpan)
            }
            return nil
        }
        // Mistakes in the fields have been reported, so these diagnostics are dropped.
        var known = DiagnosticCollector()
        let fields = node.entries.map { ParametersReader.read(field: $0, into: &known) }
        let scope = FieldScope(fields: fields.map(\.field))
        let given = settingsValues(node, scope, into: &diagnostics)
        let named = references(surface, "beside-settings", to: scope, into: &diagnostics)
        // A parameter with a wrong `from` is not required beside the settings.
        let fromSettings = Set(node.entries.filter { $0.value["from"] != nil }.map(\.key.value))
        let beside =
            named
            ?? scope.fields.filter { !$0.isOptional && !$0.hasDefault && !fromSettings.contains($0.name.value) }.map(\.name)
        let errors = ErrorTypeReader.read(of: root, into: &known).scope
        let initialisers = InitialiserReader(fields: scope, errors: errors).read(surface?["initialisers"], into: &diagnostics)
        // The mock landscape does not play the server of an enrolment, so no examples are needed.
        for field in fields.compactMap(\.resolved) where !fromSettings.contains(field.name.value) && !root.isEnrolment {
            field.checkExample("a required parameter that does not come from the settings", into: &diagnostics)
        }
        let resolved = fields.compactMap(\.resolved)
        guard let method = root.text("method", as: .typeName), resolved.count == fields.count, let given, let initialisers else {
            return nil
        }
        let name = surface?.text("parameters", as: .typeName) ?? Located("\(method.value)Parameters", at: method.location)
        let label = root.text("title")?.trimmed ?? method.value
        return ResolvedParameters(
            name: name, documentation: Documentation(summary: "The parameters of the method '\(label)'."), fields: resolved,
            fromSettings: given.isEmpty ? nil : given, configuration: node.configuration,
            besideSettings: given.isEmpty ? [] : beside, initialisers: initialisers)
    }

    /// Returns the templates by which the parameters are derived from the landscape's settings.
    ///
    /// - Returns: `nil` if a value cannot be read; that is reported.
    private func settingsValues(
        _ node: DocumentNode, _ fields: FieldScope, into diagnostics: inout DiagnosticCollector
    ) -> [(field: Located<String>, template: ResolvedTemplate)]? {
        let entries = node.entries.compactMap { field in field.value.entry("from").map { (field, $0) } }
        guard let first = entries.first else { return [] }
        guard case .fields(let scope) = settings else {
            diagnostics.report(.missingSettings, "the landscape declares no settings", at: first.1.keySpan)
            return nil
        }
        let reader = TemplateReader(settings: scope)
        let values = entries.compactMap { field, from -> (field: Located<String>, template: ResolvedTemplate)? in
            guard let template = reader.read(from.value, into: &diagnostics), let declared = fields[field.key.value] else {
                return nil
            }
            template.checkValue(of: declared, into: &diagnostics)
            return (field.key, template.resolved)
        }
        return values.count == entries.count ? values : nil
    }

    /// - Returns: `nil` if none are named.
    private func references(
        _ surface: DocumentNode?, _ key: String, to scope: FieldScope, into diagnostics: inout DiagnosticCollector
    ) -> [Located<String>]? {
        guard let node = surface?[key] else { return nil }
        return node.items.compactMap { item in
            guard let name = item.text else { return nil }
            guard scope[name.value] != nil else {
                diagnostics.report(
                    .unknownField, "there is no parameter '\(name.value)'", at: item.span, meaning: name.value, among: scope.names)
                return nil
            }
            return name
        }
    }
}
