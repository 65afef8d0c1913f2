import CountersignSpec

/// `Landscape.cityLibrary`: the landscape as data.
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
                "'\(landscape.name.value)' is not a valid Swift name; use ASCII letters, digits and underscores, beginning with a letter"
            )
        }
        self.name = name
        documentation = DocumentationText(
            landscape.documentation.summary, discussion: landscape.documentation.discussion,
            callouts: [Planning.remark(landscape.name.location)])
        call = .call(
            "Landscape",
            [
                .init("name", .text(SwiftStringLiteral(landscape.name.value))),
                .init("summary", .text(SwiftStringLiteral(landscape.documentation.summary))),
                .init("loggingPrefix", .text(SwiftStringLiteral(landscape.loggingPrefix))),
            ] + (try Self.operations(scope).map { [.init("operations", $0)] } ?? [])
                + [.init("methods", try Self.methods(scope))])
    }

    /// The closure that fills in the operations' settings and parameters for a server; `nil` without operations.
    private static func operations(_ scope: LandscapeScope) throws -> SwiftExpression? {
        let landscape = scope.landscape
        guard !landscape.operations.isEmpty else { return nil }
        var usesBase = false
        let usesSettings = landscape.operations.contains(where: \.usesSettings)
        let settings = try usesSettings ? settings(scope, usesBase: &usesBase) : nil
        var operations: [SwiftExpression] = []
        for operation in landscape.operations {
            var arguments: [SwiftExpression] = operation.usesSettings ? ["settings"] : []
            if let parameters = operation.parameterStruct {
                let type = try Planning.typeName(parameters.name.value, at: parameters.name.location)
                let examples = try examples(parameters.primaryFields, server: nil, usesBase: &usesBase)
                arguments.append(.call(.text(type), examples))
            }
            let type = try Planning.typeName(operation.typeName(.version), at: operation.name.location)
            let list = arguments.map { [$0] }.joined(separator: [", "]).map { $0 }
            operations.append(.sequence([.text(type), ".allCases.map { $0.operation("] + list + [") }"]))
        }
        let all = SwiftExpression.sequence(operations.map { [$0] }.joined(separator: [" + "]).map(\.self))
        return .closure(
            parameter: usesBase ? "base" : "_", body: settings.map { [$0] + [.init(.sequence(["return ", all]))] } ?? [.init(all)])
    }

    /// The line that makes the settings for a server; `nil` if the landscape has none.
    private static func settings(_ scope: LandscapeScope, usesBase: inout Bool) throws -> SwiftExpression.Line? {
        guard let settings = scope.landscape.settings, let type = scope.settingsType else { return nil }
        let arguments = try examples(settings.primaryFields, server: scope.landscape.serverField, usesBase: &usesBase)
        return .init(.sequence(["let settings = ", .call(.text(type), arguments)]))
    }

    /// The closure that fills in the methods' parameters for a server.
    private static func methods(_ scope: LandscapeScope) throws -> SwiftExpression {
        let landscape = scope.landscape
        var usesBase = false
        var usesSettings = false
        var methods: [SwiftExpression] = []
        func value(_ parameters: ResolvedParameters) throws -> SwiftExpression {
            let type = try Planning.typeName(parameters.name.value, at: parameters.name.location)
            let value: SwiftExpression
            if parameters.fromSettings != nil {
                usesSettings = true
                let beside = Set(parameters.besideSettings.map(\.value))
                let asked = parameters.primaryFields.filter { beside.contains($0.name.value) }
                value = .call(
                    .text(type),
                    [.init("settingsParameters", "settings")] + (try examples(asked, server: nil, usesBase: &usesBase)))
            } else {
                value = .call(.text(type), try examples(parameters.primaryFields, server: nil, usesBase: &usesBase))
            }
            guard parameters.primaryThrows else { return value }
            return .sequence(["GeneratedCodeVersion3.example ", .closure(nil, .sequence(["try ", value]))])
        }
        for method in landscape.programMethods {
            let definition = try Planning.typeName(method.name.value + "Method", at: method.name.location)
            let mock = Self.mock(method)
            if method.kind == .prompted {
                methods.append(.call("\(definition).program.description", mock))
                continue
            }
            if let parameters = method.parameters, method.grants.isEmpty {
                methods.append(
                    .sequence([
                        .call(.text(definition), .init("parameters", try value(parameters))),
                        .call(".description", mock),
                    ]))
                continue
            }
            let grants = try method.grants.map { grant in
                SwiftExpression.sequence([
                    .call(
                        "\(definition).\(try GrantPlan.type(grant))", .init("parameters", try value(grant.parameters))),
                    ".grantDescription",
                ])
            }
            methods.append(
                .call("\(definition).program.description", mock + [.init("grants", .list(grants))]))
        }
        var lines: [SwiftExpression.Line] = []
        if usesSettings, let line = try settings(scope, usesBase: &usesBase) { lines.append(line) }
        lines.append(.init(lines.isEmpty ? .list(methods) : .sequence(["return ", .list(methods)])))
        return .closure(parameter: usesBase ? "base" : "_", body: lines)
    }

    /// Returns arguments for the fields without a default: the spec's examples, or placeholders of the field's type.
    private static func examples(
        _ fields: [ResolvedField], server: String?, usesBase: inout Bool
    ) throws -> [SwiftExpression.Argument] {
        var arguments: [SwiftExpression.Argument] = []
        for field in fields {
            let value: SwiftExpression
            if field.name.value == server {
                usesBase = true
                value = "base"
            } else if let example = field.example, field.defaultText == nil {
                value = try LiteralCompiler.value(example, as: field.type)
            } else if field.isRequired {
                usesBase = usesBase || field.type == .url
                value = try standIn(for: field)
            } else {
                continue
            }
            arguments.append(.init(try Planning.identifier(field.name), value))
        }
        return arguments
    }

    private static func standIn(for field: ResolvedField) throws -> SwiftExpression {
        switch field.type {
        case .url: "base"
        case .string, .secret: "\"example\""
        case .header: "\"X-Example\""
        case .boolean: "false"
        case .choice: try field.choices.first.map { try LiteralCompiler.value($0.value, as: .choice) } ?? "nil"
        case .scopes, .texts, .origins: "[]"
        case .requestHandler: "{ $0 }"
        }
    }

    /// Returns the argument that describes how the mock landscape plays the server; empty if it only has default values.
    private static func mock(_ method: ResolvedSurfaceMethod) -> [SwiftExpression.Argument] {
        let usual = ResolvedMock()
        func text(_ label: SwiftExpression, _ member: KeyPath<ResolvedMock, String>) -> [SwiftExpression.Argument] {
            let text = method.mock[keyPath: member]
            return text == usual[keyPath: member] ? [] : [.init(label, .text(SwiftStringLiteral(text)))]
        }
        let redirect: SwiftExpression? =
            switch method.mock.loginRedirect {
            case .javascript: nil
            case .redirect: ".redirect"
            }
        let arguments =
            text("sessionCookie", \.sessionCookie) + (redirect.map { [.init("loginRedirect", $0)] } ?? [])
            + text("userField", \.userField) + text("passwordField", \.passwordField)
            + (method.mock.page == .passcode ? [.init("page", ".passcode")] : [])
        return arguments.isEmpty ? [] : [.init("mock", .call("MockDescription", arguments))]
    }
}
