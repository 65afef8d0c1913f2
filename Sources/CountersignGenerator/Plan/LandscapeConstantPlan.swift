import CountersignSpec

/// `Landscape.sapMobileServices`: the landscape as data.
struct LandscapeConstantPlan: Sendable {
    let name: SwiftIdentifier
    let documentation: DocumentationText
    let call: SwiftExpression
}

extension LandscapeConstantPlan {
    init(_ scope: LandscapeScope) throws {
        let landscape = scope.landscape
        guard let name = SwiftIdentifier(lowerCamel: landscape.name.value) else {
            throw GenerationProblem(
                at: landscape.name.location,
                "'\(landscape.name.value)' is not a name in Swift: use ASCII letters, digits and underscores, a letter first")
        }
        self.name = name
        documentation = DocumentationText(
            landscape.documentation.summary, discussion: landscape.documentation.discussion,
            callouts: [Planning.remark(landscape.name.location)])
        call = .call(
            "Landscape",
            .init("name", .text(SwiftStringLiteral(landscape.name.value))),
            .init("summary", .text(SwiftStringLiteral(landscape.documentation.summary))),
            .init("loggingPrefix", .text(SwiftStringLiteral(landscape.loggingPrefix))),
            .init("methods", try Self.methods(scope)))
    }

    /// The closure that fills in the methods' parameters for a server.
    private static func methods(_ scope: LandscapeScope) throws -> SwiftExpression {
        let landscape = scope.landscape
        var usesBase = false
        var usesSettings = false
        var methods: [SwiftExpression] = []
        for method in landscape.methods {
            let parameters = try Planning.typeName(method.parameters.name.value, at: method.parameters.name.location)
            let definition = try Planning.typeName(method.name.value + "Method", at: method.name.location)
            let value: SwiftExpression
            if method.parameters.fromSettings != nil {
                usesSettings = true
                value = .call(.text(parameters), .init("settingsParameters", "settings"))
            } else {
                value = .call(.text(parameters), try examples(method.parameters, server: nil, usesBase: &usesBase))
            }
            methods.append(.call("\(definition).definition.description", .init("for", value)))
        }
        var lines: [SwiftExpression.Line] = []
        if usesSettings, let settings = landscape.settings, let type = scope.settingsType {
            let arguments = try examples(settings, server: landscape.serverField, usesBase: &usesBase)
            lines.append(.init(.sequence(["let settings = ", .call(.text(type), arguments)])))
        }
        lines.append(.init(lines.isEmpty ? .list(methods) : .sequence(["return ", .list(methods)])))
        return .closure(parameter: usesBase ? "base" : "_", body: lines)
    }

    /// Arguments for the fields that have no default: the spec's examples, or what does for a field of the type.
    private static func examples(
        _ parameters: ResolvedParameters, server: String?, usesBase: inout Bool
    ) throws -> [SwiftExpression.Argument] {
        var arguments: [SwiftExpression.Argument] = []
        for field in parameters.initialiserOrder {
            let value: SwiftExpression
            if field.name.value == server {
                usesBase = true
                value = "base"
            } else if let example = field.example, field.defaultText == nil {
                value = try LiteralCompiler.value(example, as: field.type)
            } else if field.isRequired {
                usesBase = usesBase || field.type == .url
                value = standIn(for: field.type)
            } else {
                continue
            }
            arguments.append(.init(try Planning.identifier(field.name), value))
        }
        return arguments
    }

    private static func standIn(for type: FieldType) -> SwiftExpression {
        switch type {
        case .url: "base"
        case .string, .secret: "\"example\""
        case .header: "\"X-Example\""
        case .boolean: "false"
        case .integer: "1"
        case .duration: ".seconds(1)"
        }
    }
}
