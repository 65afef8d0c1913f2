import CountersignSpec

extension ParametersPlan.FromConfiguration {
    init(_ parameters: ResolvedParameters, as role: ParametersPlan.Role, in scope: LandscapeScope) throws {
        // If the initialiser from the settings requires further arguments, no value can be derived from the settings in the file.
        let derived = Set(parameters.besideSettings.isEmpty ? parameters.fromSettings?.map(\.field.value) ?? [] : [])
        var arguments: [SwiftExpression.Argument] = []
        for field in parameters.primaryFields {
            guard field.type != .requestHandler || !field.isRequired else {
                throw GenerationProblem(
                    at: field.name.location,
                    "the function '\(field.name.value)' cannot be read from a file; make it optional, or list an initialiser without it first"
                )
            }
            let reading = Reading(
                field, keys: parameters.configurationKeys(of: field), isDerived: derived.contains(field.name.value),
                isServer: role.server == field.name.value,
                isStoredOptional: parameters.fields.contains { $0.name.value == field.name.value && $0.isOptional })
            if let value = try reading.value {
                arguments.append(.init(try Planning.identifier(field.name), value))
            }
        }
        let rule =
            switch role {
            case .parameters where !derived.isEmpty:
                "a value without a key in the file comes from the landscape's settings in the same file, or is its default"
            default: "a value without a key in the file is its default"
            }
        self.init(
            documentation: DocumentationText(
                "Reads the \(role.noun) from a configuration file, or throws `ConfigurationError`: \(rule)."),
            conformances: scope.parametersConformances,
            settingsType: derived.isEmpty ? nil : scope.settingsType,
            call: parameters.primaryThrows
                ? .sequence(["try ", .call("self.init", arguments)]) : .call("self.init", arguments))
    }
}

extension ParametersPlan.Role {
    fileprivate var server: String? {
        switch self {
        case .parameters, .program: nil
        case .settings(let server): server
        }
    }
}

/// The sources of a field's value in a configuration: a key, another part of the configuration, or the default.
private struct Reading {
    let field: ResolvedField
    let keys: [String]
    /// Whether the settings of the same configuration can provide the value.
    let isDerived: Bool
    /// Whether the value is the address of the configuration's server.
    let isServer: Bool
    /// Whether the property is optional although this initialiser requires a value.
    let isStoredOptional: Bool

    init(_ field: ResolvedField, keys: [String], isDerived: Bool, isServer: Bool, isStoredOptional: Bool) {
        self.isStoredOptional = isStoredOptional
        self.field = field
        self.keys = keys
        self.isDerived = isDerived
        self.isServer = isServer
    }

    /// The argument for the initialiser; `nil` if its default is always used.
    var value: SwiftExpression? {
        get throws {
            var sources: [SwiftExpression] = []
            if !keys.isEmpty { sources.append(read) }
            if isServer { sources.append("configuration.baseURL") }
            let name = try Planning.identifier(field.name)
            if field.isRequired, let reader = requiringReader, !isServer, !isDerived || !isStoredOptional {
                let derived: [SwiftExpression.Argument] = isDerived ? [.init("or", "derived"), .init(nil, "\\.\(name)")] : []
                return .sequence(["try ", .call(reader, [.init(nil, .list(texts))] + derived)])
            }
            if isDerived { sources.append("(try? derived.get())?.\(name)") }
            let canThrow = field.isRequired || !keys.isEmpty
            if !field.isRequired {
                if sources.isEmpty { return nil }
                if let defaultText = field.defaultText { sources.append(try LiteralCompiler.value(defaultText, as: field.type)) }
            }
            let value = SwiftExpression.firstOf(sources)
            guard field.isRequired else { return canThrow ? .sequence(["try ", value]) : value }
            let given: SwiftExpression = sources.isEmpty ? "\(field.valueType)?.none" : value
            // If the value should come from the settings, an error in them explains why it is missing.
            let settings: [SwiftExpression.Argument] = isDerived ? [.init("or", "derived")] : []
            if let key = keys.first ?? (isServer ? "host" : nil) {
                return .sequence([
                    "try ",
                    .call(
                        "configuration.required", [.init(nil, given), .init("key", .text(SwiftStringLiteral(key)))] + settings),
                ])
            }
            return .sequence([
                "try ",
                .call(
                    "configuration.derived",
                    [.init(nil, given), .init("field", .text(SwiftStringLiteral(field.name.value)))] + settings),
            ])
        }
    }

    private var texts: [SwiftExpression] { keys.map { .text(SwiftStringLiteral($0)) } }

    /// The method that reads a required value; `nil` if the field has no keys or is of another type.
    private var requiringReader: SwiftExpression? {
        guard !keys.isEmpty else { return nil }
        return switch field.type {
        case .string, .secret: "configuration.requiredString"
        case .url: "configuration.requiredURL"
        case .header, .boolean, .choice, .scopes, .texts, .origins, .requestHandler: nil
        }
    }

    private var read: SwiftExpression {
        let reader: SwiftExpression =
            switch field.type {
            case .string, .secret: "configuration.text"
            case .url: "configuration.url"
            case .header: "configuration.header"
            case .boolean: "configuration.boolean"
            case .choice: "configuration.choice"
            case .scopes: "configuration.scopes"
            case .texts: "configuration.texts"
            // A configuration file can contain neither functions nor origins.
            case .origins, .requestHandler: "configuration.text"
            }
        let type: [SwiftExpression.Argument] = field.type == .choice ? [.init("of", "\(field.valueType).self")] : []
        return .call(reader, [.init(nil, .list(texts))] + type)
    }
}
