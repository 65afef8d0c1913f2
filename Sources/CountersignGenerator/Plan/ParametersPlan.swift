import CountersignSpec

/// A parameter struct, or the settings of a landscape.
struct ParametersPlan: Sendable {
    let name: SwiftTypeName
    let documentation: DocumentationText
    /// The stored properties, in the order of the spec.
    let fields: [FieldPlan]
    /// The enumerations of the fields with a closed set of values.
    let choices: [ChoicePlan]
    /// The property for the server of the settings; `nil` if the struct has none.
    let server: Server?
    let comparison: Comparison
    let initialisers: [Initialiser]
    let fromSettings: FromSettings?
    /// For structs of the surface `foundation`.
    let fromConfiguration: FromConfiguration?
    /// For structs with a secret.
    let redaction: Redaction?

    /// A property with the server of the settings that the parameters were created from.
    struct Server: Sendable {
        let documentation: DocumentationText
        /// The field of the settings.
        let field: SwiftIdentifier

        init(field: SwiftIdentifier) {
            documentation = DocumentationText(
                "The server of the settings that the parameters were created from, which may receive the credential.")
            self.field = field
        }
    }

    /// The kind of comparison that a struct supports; none if it contains a function.
    enum Comparison {
        case none, equatable, hashable
    }

    /// A stored property.
    struct FieldPlan: Sendable {
        let name: SwiftIdentifier
        let type: SwiftExpression
        let documentation: DocumentationText
    }

    /// An initialiser with all fields, or with some.
    struct Initialiser: Sendable {
        let documentation: DocumentationText
        let parameters: [SwiftExpression]
        /// The texts that must not be empty, and the errors that are thrown otherwise.
        let checks: [Check]
        /// All fields, in the order of the spec.
        let assignments: [Assignment]

        struct Check: Sendable {
            let condition, error: SwiftExpression
        }

        struct Assignment: Sendable {
            let name: SwiftIdentifier
            let value: SwiftExpression
        }
    }

    /// `init(settingsParameters:)`.
    struct FromSettings: Sendable {
        let documentation: DocumentationText
        let parameters: [SwiftExpression]
        let isThrowing: Bool
        let call: SwiftExpression
    }

    /// `init(configuration:)`.
    struct FromConfiguration: Sendable {
        let documentation: DocumentationText
        let conformances: [SwiftTypeName]
        /// The type of the settings in the same configuration; `nil` if no field falls back to them.
        let settingsType: SwiftTypeName?
        let call: SwiftExpression
    }

    /// The parts that descriptions show, without secrets.
    struct Redaction: Sendable {
        let visibleParts: SwiftExpression
    }
}

extension ParametersPlan {
    /// The role of a struct, which determines the noun in its documentation.
    enum Role {
        case parameters, settings(server: String?)
        /// The parameters of a method.
        case program

        var noun: String {
            switch self {
            case .parameters, .program: "parameters"
            case .settings: "settings"
            }
        }
    }

    /// - Parameters:
    ///   - errors: The error type whose cases initialisers can throw.
    ///   - remembersServer: Whether a struct that is created from settings stores their server.
    init(
        _ parameters: ResolvedParameters, as role: Role, in scope: LandscapeScope, throwing errors: ResolvedErrorType? = nil,
        remembersServer: Bool = false
    ) throws {
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
                    field.documentation.summary, discussion: field.documentation.discussion))
        }
        choices = try parameters.fields.filter { $0.type == .choice }.map { try ChoicePlan($0) }
        server = try remembersServer ? scope.server(of: parameters).map { Server(field: $0) } : nil
        let isOfProgram = if case .program = role { true } else { false }
        let hasFunction = parameters.fields.contains { $0.type == .requestHandler }
        comparison = isOfProgram ? .hashable : hasFunction ? .none : .equatable
        initialisers = try Initialiser.all(of: parameters, as: role, throwing: errors)
        fromSettings = try FromSettings(parameters, in: scope)
        fromConfiguration = isOfProgram ? nil : try FromConfiguration(parameters, as: role, in: scope)
        redaction = hasSecret ? try Redaction(parameters) : nil
    }

    /// Returns the name of a property, and throws if the name is reserved.
    private static func name(of field: ResolvedField, hasSecret: Bool) throws -> SwiftIdentifier {
        let taken: Set = hasSecret ? ["self", "description", "debugDescription", "customMirror", "visibleParts"] : ["self"]
        guard !taken.contains(field.name.value) else {
            throw GenerationProblem(
                at: field.name.location, "a field cannot be named '\(field.name.value)', because Swift uses the name")
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
        let beside = Set(parameters.besideSettings.map(\.value))
        var arguments: [SwiftExpression.Argument] = []
        var asked: [ResolvedField] = []
        for field in parameters.primaryFields {
            let identifier = try Planning.identifier(field.name)
            if beside.contains(field.name.value) {
                asked.append(field)
                arguments.append(.init(identifier, .text(identifier)))
            } else if let template = templates.first(where: { $0.field.value == field.name.value })?.template {
                arguments.append(.init(identifier, try compiler.value(template, for: field)))
            } else if try field.defaultValue == nil {
                throw GenerationProblem(
                    at: field.name.location, "'from.settings' has no value for '\(field.name.value)', which has no default")
            }
        }
        let call = SwiftExpression.call("self.init", arguments)
        self.init(
            documentation: DocumentationText(
                asked.isEmpty
                    ? "Creates the parameters from the landscape's settings."
                    : "Creates the parameters from the landscape's settings and the remaining values."),
            parameters: ["settingsParameters: \(settingsType)"] + (try asked.map { try $0.initialiserParameter }),
            isThrowing: parameters.primaryThrows, call: parameters.primaryThrows ? .sequence(["try ", call]) : call)
    }
}

extension ResolvedField {
    /// `name: Type = default`.
    fileprivate var initialiserParameter: SwiftExpression {
        get throws {
            let declaration: SwiftExpression = "\(try Planning.identifier(name)): \(parameterType)"
            return try defaultValue.map { "\(declaration) = \($0)" } ?? declaration
        }
    }
}

extension ParametersPlan.Initialiser {
    /// Returns the initialisers of a struct: those of the spec, or one with all fields.
    fileprivate static func all(
        of parameters: ResolvedParameters, as role: ParametersPlan.Role, throwing errors: ResolvedErrorType?
    ) throws -> [ParametersPlan.Initialiser] {
        if parameters.initialisers.isEmpty {
            return [try Self(parameters.initialiserOrder, of: parameters, as: role, checks: [])]
        }
        return try parameters.initialisers.map { initialiser in
            let fields = parameters.fields(of: initialiser)
            var checks: [Check] = []
            if let name = initialiser.emptyText, let errors {
                let type = try Planning.typeName(errors.name.value, at: errors.name.location)
                for field in fields where [.string, .secret, .header].contains(field.type) {
                    let detail = SwiftStringLiteral("'\(field.name.value)' is empty")
                    checks.append(
                        Check(
                            condition: "\(try Planning.identifier(field.name)).isEmpty",
                            error: "\(type).\(try Planning.identifier(name))(detail: \(detail))"))
                }
            }
            return try Self(fields, of: parameters, as: role, checks: checks)
        }
    }

    private init(
        _ fields: [ResolvedField], of parameters: ResolvedParameters, as role: ParametersPlan.Role, checks: [Check]
    ) throws {
        self.init(
            documentation: DocumentationText(
                fields.isEmpty ? "Creates the \(role.noun)." : "Creates the \(role.noun). They are documented at the properties.",
                callouts: checks.isEmpty ? [] : [.throws("An error for an empty text.")]),
            parameters: try fields.map { try $0.initialiserParameter }, checks: checks,
            assignments: try parameters.fields.map { field in
                let name = try Planning.identifier(field.name)
                guard !fields.contains(where: { $0.name.value == field.name.value }) else {
                    return Assignment(name: name, value: .text(name))
                }
                // The spec reader has ensured that a field outside the initialiser has a default or is optional.
                return Assignment(name: name, value: try field.defaultValue ?? "nil")
            })
    }
}

extension ParametersPlan.Redaction {
    fileprivate init(_ parameters: ResolvedParameters) throws {
        visibleParts = .list(
            try parameters.fields.map { field in
                let name = try Planning.identifier(field.name)
                let value: SwiftExpression =
                    switch field.type {
                    case .secret: .text(SwiftStringLiteral("<redacted>"))
                    case .requestHandler: .text(SwiftStringLiteral("a function"))
                    case .string, .header: field.isOptional ? "String(describing: \(name))" : .text(name)
                    case .choice: field.isOptional ? "String(describing: \(name)?.rawValue)" : "\(name).rawValue"
                    default: "String(describing: \(name))"
                    }
                return "\(SwiftStringLiteral(field.name.value)): \(value)"
            })
    }
}
