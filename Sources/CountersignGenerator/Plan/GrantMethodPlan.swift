import CountersignSpec

/// The types around a method whose credential is a token: its definition, its grants, the authenticator and the observer.
struct GrantMethodPlan: Sendable {
    let failure: SwiftTypeName
    let session, task, observing: SwiftTypeName
    /// `OAuth2Method`, `OAuth2Authentication`, `OAuth2Authenticator`, `OAuth2Observer`.
    let definitionType, authenticationType, authenticatorType, observerType: SwiftTypeName
    let observerName: SwiftStringLiteral
    /// `defaultURLSession`: makes the session for token requests.
    let defaultSession: SwiftIdentifier
    /// What that session is called.
    let sessionDescription: SwiftStringLiteral
    let documentation: MethodPlan.Documentation

    let definition: SwiftExpression
    let challenges: SwiftExpression
    let errors: SwiftExpression
    let grants: [GrantPlan]
}

/// A grant: the values of its steps, the steps, and the initialisers for it.
struct GrantPlan: Sendable {
    /// The name in the spec, for comments.
    let name: String
    let documentation, valuesDocumentation: DocumentationText
    /// `AuthorizationCode`: the values.
    let valuesType: SwiftIdentifier
    /// `authorizationCode`: the grant.
    let constant: SwiftIdentifier
    let parameters: SwiftTypeName
    let hasState, hasProofKey: Bool
    /// What redirects bring.
    let captures: [SwiftIdentifier]
    /// The servers that the token is for, as a function of the parameters.
    let servers: SwiftExpression
    let authenticate: SwiftExpression
    let refresh: SwiftExpression
    /// Whether a person takes part.
    let isInteractive: Bool
    /// The label of the initialisers that take the parameters and nothing else that has to be given.
    let label: SwiftIdentifier
    let sessionLabel: SwiftIdentifier
    /// Other ways to call the same initialiser: the labels of the parameters and of the session.
    let otherLabels: [(parameters: SwiftIdentifier, session: SwiftIdentifier)]
    let nameLiteral: SwiftStringLiteral
    /// What takes over after the first token.
    let handover: Handover?

    /// The grant that takes over from another.
    struct Handover: Sendable {
        let constant: SwiftIdentifier
        /// How long the other can be run.
        let life: SwiftExpression?
        /// Makes the parameters of the one from those of the other.
        let parameters: SwiftExpression
    }
}

extension GrantMethodPlan {
    init(_ method: ResolvedMethod, in scope: LandscapeScope) throws {
        func type(_ suffix: String) throws -> SwiftTypeName {
            try Planning.typeName(method.name.value + suffix, at: method.name.location)
        }
        failure = try Planning.typeName(method.errors.name.value, at: method.errors.name.location)
        (session, task, observing) = (scope.session, scope.task, scope.observing)
        definitionType = try type("Method")
        authenticationType = try type("Authentication")
        authenticatorType = try type("Authenticator")
        observerType = try type("Observer")
        observerName = SwiftStringLiteral(method.name.value + "Observer")
        let location = method.name.location
        defaultSession = try Planning.identifier(Located("default" + scope.landscape.names.session, at: location))
        sessionDescription = SwiftStringLiteral(method.title ?? method.name.value)
        documentation = MethodPlan.Documentation(method)
        let compiler = FlowCompiler(method, subject: .nothing)
        definition = try compiler.tokenDefinition(failure: failure)
        challenges = .list(method.challenges.map { ProgramCompiler.challenge(ResolvedProgram.Challenge(lowering: $0)) })
        errors = .list(compiler.errors)
        grants = try method.grants.map { try GrantPlan($0, of: method, in: scope) }
    }
}

extension GrantPlan {
    /// Names that the enum around the grants has otherwise.
    private static let taken: Set = ["definition", "challenges", "errors"]

    init(_ grant: ResolvedGrant, of method: ResolvedMethod, in scope: LandscapeScope) throws {
        let words = Self.words(grant.name.value)
        guard let valuesType = SwiftIdentifier(words), let constant = SwiftIdentifier(lowerCamel: words),
            !Self.taken.contains(constant.name)
        else {
            throw GenerationProblem(at: grant.name.location, "a grant cannot be called '\(grant.name.value)' in Swift")
        }
        name = grant.name.value
        nameLiteral = SwiftStringLiteral(grant.name.value)
        let remark = Planning.remark(grant.name.location)
        documentation = DocumentationText("The grant as the runtime executes it.", callouts: [remark])
        valuesDocumentation = DocumentationText(
            "What the steps of `\(grant.name.value)` read and fill.", callouts: [remark])
        self.valuesType = valuesType
        self.constant = constant
        parameters = try Planning.typeName(grant.parameters.name.value, at: grant.parameters.name.location)
        let steps = grant.authenticate + grant.refresh
        let generated = steps.flatMap { step -> [ResolvedStep.Generated] in
            if case .generate(let values) = step { values } else { [] }
        }
        hasState = generated.contains(.state)
        hasProofKey = generated.contains(.codeVerifier)
        var captures: [SwiftIdentifier] = []
        for case .present(let present) in steps {
            for capture in present.redirect?.capture ?? [] {
                let identifier = try Planning.identifier(capture.slot)
                if !captures.contains(identifier) { captures.append(identifier) }
            }
        }
        self.captures = captures
        let compiler = FlowCompiler(method, subject: .values(grant.parameters))
        authenticate = .list(try grant.authenticate.map(compiler.step))
        refresh = .list(try grant.refresh.map(compiler.step))
        let next = grant.next.flatMap { name in method.grants.first { $0.name.value == name.value } }
        handover = try next.map { try Handover($0, after: grant) }
        servers = try Self.servers(of: grant, before: next, in: scope)
        isInteractive = (grant.authenticate + (next?.authenticate ?? [])).contains {
            if case .present = $0 { true } else { false }
        }
        let labels = try Self.labels(of: grant, of: method)
        label = labels[0]
        sessionLabel = scope.sessionLabels[0]
        otherLabels = labels.flatMap { label in scope.sessionLabels.map { (parameters: label, session: $0) } }.filter {
            [label, sessionLabel] in
            $0.parameters != label || $0.session != sessionLabel
        }
    }

    /// The server of the settings that the parameters were made of; otherwise those of the pages and requests of the steps.
    ///
    /// - Parameter next: The grant that takes over, whose pages and requests count as far as the parameters name them.
    private static func servers(
        of grant: ResolvedGrant, before next: ResolvedGrant?, in scope: LandscapeScope
    ) throws -> SwiftExpression {
        let compiler = TemplateCompiler(parameters: (grant.parameters, "parameters"))
        let fields = Set(grant.parameters.fields.filter { !$0.isOptional }.map(\.name.value))
        var seen: Set<ResolvedTemplate.Piece> = []
        var refersToParameters = false
        var servers: [SwiftExpression] = []
        for step in [grant, next].compactMap(\.self).flatMap({ $0.authenticate + $0.refresh }) {
            guard let url = step.url, let first = url.pieces.first, seen.insert(first).inserted else { continue }
            if case .parameter(let name, _) = first {
                // A grant that takes over has parameters of its own.
                guard fields.contains(name) else { continue }
                refersToParameters = true
            }
            servers.append(try compiler.server(of: url))
        }
        guard try scope.server(of: grant.parameters) != nil else {
            return .closure(refersToParameters ? "parameters" : "_", .list(servers))
        }
        return .closure("parameters", .firstOf(["parameters.settingsServer.map { [$0] }", .list(servers)]))
    }

    /// `AuthorizationCode` for `authorization-code`.
    fileprivate static func words(_ name: String) -> String {
        name.split(whereSeparator: { $0 == "-" || $0 == "_" }).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The labels in the spec, or `authenticationParameters` for `OAuth2AuthenticationParameters`.
    private static func labels(of grant: ResolvedGrant, of method: ResolvedMethod) throws -> [SwiftIdentifier] {
        if !grant.labels.isEmpty { return try grant.labels.map(Planning.identifier) }
        let name = grant.parameters.name.value
        let short = name.hasPrefix(method.name.value) ? String(name.dropFirst(method.name.value.count)) : name
        guard let label = SwiftIdentifier(lowerCamel: short.isEmpty ? name : short) else {
            throw GenerationProblem(at: grant.parameters.name.location, "no label follows from '\(name)'; give the grant 'labels'")
        }
        return [label]
    }
}

extension ResolvedStep {
    /// Where the step leads: its page or its request. A page that takes the place of another in some web views does not count.
    fileprivate var url: ResolvedTemplate? {
        switch self {
        case .present(let present): present.url
        case .request(let request): request.url
        default: nil
        }
    }
}

extension GrantPlan.Handover {
    init(_ next: ResolvedGrant, after grant: ResolvedGrant) throws {
        guard let constant = SwiftIdentifier(lowerCamel: GrantPlan.words(next.name.value)) else {
            throw GenerationProblem(at: next.name.location, "a grant cannot be called '\(next.name.value)' in Swift")
        }
        self.constant = constant
        life = try grant.life.map { try LiteralCompiler.value($0, as: .duration) }
        let given = Set(grant.parameters.fields.map(\.name.value))
        let arguments = try next.parameters.primaryFields.filter { given.contains($0.name.value) }.map { field in
            let name = try Planning.identifier(field.name)
            return SwiftExpression.Argument(name, "$0.\(name)")
        }
        let type = try Planning.typeName(next.parameters.name.value, at: next.parameters.name.location)
        parameters = .closure(nil, .call(.text(type), arguments))
    }
}
