import CountersignSpec

/// The types generated for a method whose credential is a token: its definition, its grants, the authenticator and the observer.
struct GrantMethodPlan: Sendable {
    let session, observing: SwiftTypeName
    /// `OAuth2Method`, `OAuth2Authentication`, `OAuth2Authenticator`, `OAuth2Observer`.
    let definitionType, authenticationType, authenticatorType, observerType: SwiftTypeName
    /// `defaultURLSession`: makes the session for token requests.
    let defaultSession: SwiftIdentifier
    /// The `sessionDescription` of that session.
    let sessionDescription: SwiftStringLiteral
    let documentation: MethodPlan.Documentation

    let definition: MethodDefinitionPlan
    let grants: [GrantPlan]
}

/// A grant: the definition that the runtime executes, and its initialisers.
struct GrantPlan: Sendable {
    /// The name in the spec, for comments.
    let name: String
    let documentation: DocumentationText
    /// `AuthorizationCode`.
    let type: SwiftIdentifier
    let parameters: SwiftTypeName
    /// The values of its slots, and the parameters that are functions.
    let values: [SwiftExpression]
    let preparations: [MethodDefinitionPlan.SlotValue]
    let program: SwiftExpression
    let tools: [ProgramTool]
    /// Whether the grant, or the one that takes over, shows a page to the user.
    let isInteractive: Bool
    /// The label of the parameters in the initialisers that have no other required argument.
    let label: SwiftIdentifier
    let sessionLabel: SwiftIdentifier
    /// Other ways to call the same initialiser: the labels of the parameters and of the session.
    let otherLabels: [(parameters: SwiftIdentifier, session: SwiftIdentifier)]
    /// The grant that takes over after the first token; `nil` if none does.
    let handover: Handover?

    /// A grant that takes over from another one.
    struct Handover: Sendable {
        let type: SwiftIdentifier
        /// The lifetime of the first grant's parameters; `nil` if it is unlimited.
        let life: SwiftExpression?
        /// The expression that creates the next grant's parameters from those of the first.
        let parameters: SwiftExpression
    }
}

extension GrantMethodPlan {
    init(_ method: ResolvedSurfaceMethod, in scope: LandscapeScope) throws {
        func type(_ suffix: String) throws -> SwiftTypeName {
            try Planning.typeName(method.name.value + suffix, at: method.name.location)
        }
        (session, observing) = (scope.session, scope.observing)
        definitionType = try type("Method")
        authenticationType = try type("Authentication")
        authenticatorType = try type("Authenticator")
        observerType = try type("Observer")
        let location = method.name.location
        defaultSession = try Planning.identifier(Located("default" + scope.landscape.names.session, at: location))
        sessionDescription = SwiftStringLiteral(method.program.title ?? method.name.value)
        documentation = MethodPlan.Documentation(method)
        definition = try MethodDefinitionPlan(method)
        grants = try method.grants.map { try GrantPlan($0, of: method, in: scope) }
    }
}

extension GrantPlan {
    init(_ grant: ResolvedSurfaceGrant, of method: ResolvedSurfaceMethod, in scope: LandscapeScope) throws {
        type = try Self.type(grant)
        name = grant.name.value
        documentation = DocumentationText(
            "The grant `\(grant.name.value)` as the runtime executes it.")
        parameters = try Planning.typeName(grant.parameters.name.value, at: grant.parameters.name.location)
        let definition = try Planning.typeName(method.name.value + "Method", at: method.name.location)
        program = ProgramCompiler.grant(grant.program, of: "\(definition).program")
        tools = grant.program.tools
        let next = grant.next.flatMap { name in method.grants.first { $0.name.value == name.value } }
        handover = try next.map { try Handover($0, after: grant) }
        let filling = SlotFilling(grant.program)
        values = try filling.values(of: grant.parameters, servers: try Self.servers(of: grant, before: next, in: scope))
        preparations = try filling.preparations(of: grant.parameters)
        isInteractive = [grant, next].compactMap(\.self).contains { !$0.program.pages.isEmpty }
        let labels = try Self.labels(of: grant, of: method)
        label = labels[0]
        sessionLabel = scope.sessionLabels[0]
        otherLabels = labels.flatMap { label in scope.sessionLabels.map { (parameters: label, session: $0) } }.filter {
            [label, sessionLabel] in
            $0.parameters != label || $0.session != sessionLabel
        }
    }

    /// Returns the server of the settings if the parameters were created from them; otherwise the servers of the pages and
    /// requests in the steps.
    ///
    /// - Parameter next: The grant that takes over. Its pages and requests are included if the first grant's parameters name
    ///   their servers.
    private static func servers(
        of grant: ResolvedSurfaceGrant, before next: ResolvedSurfaceGrant?, in scope: LandscapeScope
    ) throws -> SwiftExpression {
        let compiler = TemplateCompiler(parameters: (grant.parameters, "parameters"))
        let fields = Set(grant.parameters.fields.filter { !$0.isOptional }.map(\.name.value))
        var seen: Set<ResolvedTemplate.Piece> = []
        var servers: [SwiftExpression] = []
        for url in [grant, next].compactMap(\.self).flatMap(\.program.addresses) {
            guard let first = url.pieces.first, seen.insert(first).inserted else { continue }
            if case .parameter(let name, _) = first {
                // The next grant can name parameters that this grant does not have.
                guard fields.contains(name) else { continue }
            }
            servers.append(try compiler.server(of: url))
        }
        guard try scope.server(of: grant.parameters) != nil else {
            return .list(servers)
        }
        return .firstOf(["parameters.settingsServer.map { [$0] }", .list(servers)])
    }

    /// `AuthorizationCode` for `authorization-code`.
    static func type(_ grant: ResolvedSurfaceGrant) throws -> SwiftIdentifier {
        guard let type = SwiftIdentifier(ResolvedSurfaceGrant.typeName(of: grant.name.value)) else {
            throw GenerationProblem(at: grant.name.location, "a grant cannot be called '\(grant.name.value)' in Swift")
        }
        return type
    }

    /// The labels in the spec, or `authenticationParameters` for `OAuth2AuthenticationParameters`.
    private static func labels(of grant: ResolvedSurfaceGrant, of method: ResolvedSurfaceMethod) throws -> [SwiftIdentifier] {
        if !grant.labels.isEmpty { return try grant.labels.map(Planning.identifier) }
        let name = grant.parameters.name.value
        let short = name.hasPrefix(method.name.value) ? String(name.dropFirst(method.name.value.count)) : name
        guard let label = SwiftIdentifier(lowerCamel: short.isEmpty ? name : short) else {
            throw GenerationProblem(
                at: grant.parameters.name.location, "no label can be derived from '\(name)'; add 'labels' to the grant")
        }
        return [label]
    }
}

extension GrantPlan.Handover {
    init(_ next: ResolvedSurfaceGrant, after grant: ResolvedSurfaceGrant) throws {
        type = try GrantPlan.type(next)
        life = try grant.life.map { try LiteralCompiler.duration($0) }
        let given = Set(grant.parameters.fields.map(\.name.value))
        // Each struct has its own enumerations.
        let arguments = try next.parameters.primaryFields.filter { given.contains($0.name.value) }.map { field in
            let name = try Planning.identifier(field.name)
            let reference = try FieldReference(
                field.name.value, in: grant.parameters, of: "parameters", at: field.name.location)
            return SwiftExpression.Argument(name, field.type == .choice ? reference.choice : reference.access)
        }
        let name = try Planning.typeName(next.parameters.name.value, at: next.parameters.name.location)
        parameters = .call(.text(name), arguments)
    }
}
