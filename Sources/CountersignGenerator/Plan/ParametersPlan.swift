import CountersignSpec

/// A parameter struct, or the settings of a landscape.
struct ParametersPlan: Sendable {
    let name: SwiftTypeName
    let documentation: DocumentationText
    /// The stored properties, in the order of the spec.
    let fields: [FieldPlan]
    /// In the order of the initialiser: what has to be given comes first.
    let initialiserParameters: [SwiftExpression]
    let initialiserDocumentation: DocumentationText
    let fromSettings: FromSettings?
    let fromConfiguration: FromConfiguration
    /// For structs with a secret.
    let redaction: Redaction?

    /// A stored property.
    struct FieldPlan: Sendable {
        let name: SwiftIdentifier
        let type: SwiftExpression
        let documentation: DocumentationText
    }

    /// `init(settingsParameters:)`.
    struct FromSettings: Sendable {
        let documentation: DocumentationText
        let settingsType: SwiftTypeName
        let call: SwiftExpression
    }

    /// `init(configuration:)`.
    struct FromConfiguration: Sendable {
        let documentation: DocumentationText
        let conformances: [SwiftTypeName]
        /// The settings in the same configuration, where a field falls back to them.
        let settingsType: SwiftTypeName?
        let call: SwiftExpression
    }

    /// Descriptions that leave secrets out.
    struct Redaction: Sendable {
        let description: SwiftExpression
        let mirror: SwiftExpression
    }
}

extension ParametersPlan {
    /// What the documentation calls a value of the type.
    enum Role {
        case parameters, settings(server: String?)

        var noun: String {
            switch self {
            case .parameters: "parameters"
            case .settings: "settings"
            }
        }
    }

    init(_ parameters: ResolvedParameters, as role: Role, in scope: LandscapeScope) throws {
        name = try Planning.typeName(parameters.name.value, at: parameters.name.location)
        documentation = DocumentationText(
            parameters.documentation.summary, discussion: parameters.documentation.discussion,
            callouts: [Planning.remark(parameters.name.location)])
        let hasSecret = parameters.fields.contains { $0.type == .secret }
        fields = try parameters.fields.map { field in
            FieldPlan(
                name: try Self.name(of: field, hasSecret: hasSecret),
                type: field.swiftType,
                documentation: DocumentationText(
                    field.documentation.summary, discussion: field.documentation.discussion,
                    callouts: [Planning.remark(field.name.location)]))
        }
        let ordered = parameters.initialiserOrder
        initialiserParameters = try ordered.map { field in
            let declaration: SwiftExpression = "\(try Planning.identifier(field.name)): \(field.swiftType)"
            return try field.defaultValue.map { "\(declaration) = \($0)" } ?? declaration
        }
        let documented = ordered.map { DocumentationText.Callout.Parameter(name: $0.name.value, summary: $0.documentation.summary) }
        initialiserDocumentation = DocumentationText(
            "Makes the \(role.noun).", callouts: documented.isEmpty ? [] : [.parameters(documented)])
        fromSettings = try FromSettings(parameters, in: scope)
        fromConfiguration = try FromConfiguration(parameters, as: role, in: scope)
        redaction = hasSecret ? try Redaction(parameters, name: name) : nil
    }

    /// The name of a property; some names cannot be taken.
    private static func name(of field: ResolvedField, hasSecret: Bool) throws -> SwiftIdentifier {
        let taken: Set = hasSecret ? ["self", "description", "debugDescription", "customMirror"] : ["self"]
        guard !taken.contains(field.name.value) else {
            throw GenerationProblem(
                at: field.name.location, "a field cannot be named '\(field.name.value)': Swift uses the name otherwise")
        }
        return try Planning.identifier(field.name)
    }
}

extension ParametersPlan.FromSettings {
    fileprivate init?(_ parameters: ResolvedParameters, in scope: LandscapeScope) throws {
        guard let templates = parameters.fromSettings else { return nil }
        guard let settings = scope.landscape.settings, let settingsType = scope.settingsType else {
            throw GenerationProblem(at: parameters.name.location, "'from.settings' needs a landscape with settings")
        }
        let compiler = TemplateCompiler(settings: (settings, "settingsParameters"))
        var arguments: [SwiftExpression.Argument] = []
        for field in parameters.initialiserOrder {
            if let template = templates.first(where: { $0.field.value == field.name.value })?.template {
                arguments.append(.init(try Planning.identifier(field.name), try compiler.value(template, for: field)))
            } else if try field.defaultValue == nil {
                throw GenerationProblem(
                    at: field.name.location, "'from.settings' says nothing on '\(field.name.value)', which has no default")
            }
        }
        self.init(
            documentation: DocumentationText(
                "Makes the parameters from the landscape's settings.",
                callouts: templates.first.map { [Planning.remark($0.field.location)] } ?? []),
            settingsType: settingsType, call: .call("self.init", arguments))
    }
}

extension ParametersPlan.Redaction {
    fileprivate init(_ parameters: ResolvedParameters, name: SwiftTypeName) throws {
        var description: [SwiftExpression.TextPart] = [.text("\(parameters.name.value)(")]
        var children: [SwiftExpression] = []
        for (index, field) in parameters.fields.enumerated() {
            let identifier = try Planning.identifier(field.name)
            description.append(.text("\(index == 0 ? "" : ", ")\(field.name.value): "))
            let value: SwiftExpression =
                switch field.type {
                case .secret: .text(SwiftStringLiteral("<redacted>"))
                default: field.isOptional ? "String(describing: \(identifier))" : .text(identifier)
                }
            if field.type == .secret {
                description.append(.text("<redacted>"))
            } else {
                description.append(.value(value, interpolated: value))
            }
            children.append("\(SwiftStringLiteral(field.name.value)): \(value)")
        }
        self.init(
            description: .joinedText(description + [.text(")")]),
            mirror: .call("Mirror", [.init(nil, "self"), .init("children", .list(children)), .init("displayStyle", ".struct")]))
    }
}
