/// Reads fields: parameters of a method, settings of a landscape, and the parameter struct of a discovery.
struct ParametersReader {
    /// A struct as far as it could be read.
    struct Reading: Sendable {
        let name: Located<String>
        /// `nil` if something is missing.
        var parameters: ResolvedParameters?
        /// What references can name; `nil` if the fields cannot be read.
        let scope: FieldScope?
    }

    /// Reads the fields and their configuration keys.
    static func read(_ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) -> Reading {
        let node = entry.value
        guard let fieldsNode = node["fields"], case .mapping(let entries) = fieldsNode.content else {
            return Reading(name: entry.key, parameters: nil, scope: nil)
        }
        var fields: [ResolvedField?] = []
        var scope: [FieldScope.Field] = []
        for entry in entries {
            let field = read(field: entry, of: FieldType.ofDiscoveries, into: &diagnostics)
            fields.append(field.resolved)
            scope.append(field.field)
        }
        let fieldScope = FieldScope(fields: scope)
        let configuration = configuration(of: node, fieldScope, into: &diagnostics)
        let resolved = fields.compactMap(\.self)
        guard resolved.count == fields.count else {
            return Reading(name: entry.key, parameters: nil, scope: fieldScope)
        }
        let parameters = ResolvedParameters(
            name: entry.key, documentation: node.documentation, fields: resolved, fromSettings: nil, configuration: configuration)
        return Reading(name: entry.key, parameters: parameters, scope: fieldScope)
    }

    /// - Parameter types: The types that it can have.
    static func read(
        field entry: DocumentNode.Entry, of types: [FieldType] = FieldType.ofParameters,
        into diagnostics: inout DiagnosticCollector
    ) -> (resolved: ResolvedField?, field: FieldScope.Field) {
        let node = entry.value
        let type = node.text("type").flatMap(FieldType.init).flatMap { types.contains($0) ? $0 : nil }
        let field = FieldScope.Field(
            name: entry.key, type: type, isOptional: node.flag("optional"), hasDefault: node["default"] != nil,
            allowsHTTP: node.flag("allow-http"))
        check(field, entry, into: &diagnostics)
        let resolved = type.map {
            ResolvedField(
                name: entry.key, type: $0, documentation: node.documentation, isOptional: field.isOptional,
                defaultText: node["default"]?.text, example: node["example"]?.text)
        }
        return (resolved, field)
    }

    private static func check(
        _ field: FieldScope.Field, _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) {
        let node = entry.value
        if ReservedNames.fields.contains(entry.key.value) {
            diagnostics.report(.reservedName, "a field cannot be called '\(entry.key.value)'", at: entry.keySpan)
        }
        if let type = field.type {
            for value in [node["default"], node["example"]].compactMap(\.self) {
                guard let text = value.text else { continue }
                type.check(text.value, at: value.span, allowsHTTP: field.allowsHTTP, into: &diagnostics)
            }
        }
        if let type = field.type, type != .url, let entry = node.entry("allow-http") {
            diagnostics.report(.misplacedKey, "'allow-http' belongs to fields of type 'url'", at: entry.keySpan)
        }
        if let defaultEntry = node.entry("default") {
            if field.type == .secret {
                diagnostics.report(
                    .secretDefault, "'\(entry.key.value)' is a secret; a default would be public", at: defaultEntry.keySpan)
            }
            if field.isOptional {
                diagnostics.report(
                    .optionalDefault, "'\(entry.key.value)' is optional and has a default; it can only be one of them",
                    at: defaultEntry.keySpan)
            }
        }
    }

    private static func configuration(
        of node: DocumentNode, _ scope: FieldScope, into diagnostics: inout DiagnosticCollector
    ) -> [(field: Located<String>, keys: [String])] {
        (node["configuration"]?.entries ?? []).compactMap { entry in
            guard checkField(entry, in: scope, into: &diagnostics) != nil else { return nil }
            let keys = entry.value.items.compactMap(\.text?.value).filter(TextForm.configurationKey.accepts)
            return (entry.key, keys)
        }
    }

    /// The field that a key names; a name that is not declared is reported.
    static func checkField(
        _ entry: DocumentNode.Entry, in scope: FieldScope, into diagnostics: inout DiagnosticCollector
    ) -> FieldScope.Field? {
        if let field = scope[entry.key.value] { return field }
        diagnostics.report(
            .unknownField, "there is no field '\(entry.key.value)'", at: entry.keySpan,
            meaning: entry.key.value, among: scope.names)
        return nil
    }
}
