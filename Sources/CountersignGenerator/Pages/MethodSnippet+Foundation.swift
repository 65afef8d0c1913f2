import CountersignSpec

// Example code for methods of a session with Foundation's types.

extension MethodSnippet {
    /// Creates the snippet of a method with observers of `FoundationSession`.
    ///
    /// - Parameter grant: The grant, if the method has several.
    init(_ method: ResolvedSurfaceMethod, _ grant: ResolvedSurfaceGrant?, in landscape: ResolvedLandscape) throws {
        var draft = SurfaceDraft(scope: try LandscapeScope(landscape))
        var (name, result) = ("session", draft.session)
        switch method.kind {
        case .cookies: try draft.addCookies(method)
        case .token: try draft.addToken(method, grant)
        case .prompted: try draft.addPrompted(method)
        case .application: (name, result) = ("discovery", try draft.addEnrolment(method))
        }
        self.init(
            inputs: draft.inputs, imports: ["Foundation", landscape.name.value].sorted(), statements: draft.statements,
            result: result, name: name, isThrowing: draft.isThrowing)
    }
}

/// The inputs and statements of an example, while it is created.
private struct SurfaceDraft {
    let scope: LandscapeScope
    private(set) var inputs: [MethodSnippet.Input] = []
    private(set) var statements: [String] = []
    private(set) var isThrowing = false

    init(scope: LandscapeScope) { self.scope = scope }

    /// The type of the session.
    var session: String { scope.session.source }

    // MARK: Methods

    /// Adds the code for a method whose credential is in the session's cookies.
    mutating func addCookies(_ method: ResolvedSurfaceMethod) throws {
        let plan = try MethodPlan(method, in: scope)
        if let settings = plan.settingsType {
            inputs.append(MethodSnippet.Input(name: "settings", type: settings.source))
            addSession(showingPages: true)
            register(method, [("settingsParameters", "settings")])
        } else if let own = method.parameters {
            try addParameters(own)
            addSession(showingPages: true)
            register(method, [(plan.label.label.source, "parameters")])
        }
        statements.append("return session")
    }

    /// Adds the code for a method whose credential is a token.
    mutating func addToken(_ method: ResolvedSurfaceMethod, _ grant: ResolvedSurfaceGrant?) throws {
        let plan = try GrantMethodPlan(method, in: scope)
        guard let grant, let way = plan.grants.first(where: { $0.name == grant.name.value }) else {
            throw GenerationProblem(at: method.name.location, "'\(method.name.value)' has no such variant")
        }
        try addParameters(grant.parameters)
        inputs.append(MethodSnippet.Input(name: "tokens", type: "any OAuth2TokenStore"))
        addSession(showingPages: way.isInteractive)
        register(method, [(way.label.label.source, "parameters"), ("tokenStore", "tokens")])
        statements.append("return session")
    }

    /// Adds the code for a method whose credential comes from a prompt.
    mutating func addPrompted(_ method: ResolvedSurfaceMethod) throws {
        let plan = try CredentialMethodPlan(method, in: scope)
        let members = plan.members.filter { $0.standIn == nil }
        inputs += members.map { MethodSnippet.Input(name: $0.name.source, type: $0.type.source(indentation: 0)) }
        addSession(showingPages: !method.program.pages.isEmpty)
        register(method, members.map { ($0.name.label.source, $0.name.source) })
        statements.append("return session")
    }

    /// Adds the code for an enrolment.
    ///
    /// - Returns: The type that the function returns.
    mutating func addEnrolment(_ method: ResolvedSurfaceMethod) throws -> String {
        let plan = try EnrolmentPlan(method, in: scope)
        guard let own = method.parameters else { throw GenerationProblem(at: method.name.location, "no parameters") }
        try addParameters(own)
        inputs.append(MethodSnippet.Input(name: "session", type: session))
        var arguments = [
            (label: plan.label.label.source, value: "parameters"), (label: plan.sessionLabel.label.source, value: "session"),
        ]
        if plan.asks {
            inputs.append(MethodSnippet.Input(name: "input", type: "any LoginInputSource"))
            arguments.append((label: "input", value: "input"))
        }
        statements += MethodSnippet.call(plan.name.source, arguments, before: "return ")
        return plan.name.source
    }

    // MARK: Parts

    /// Adds the statements that create the session.
    private mutating func addSession(showingPages hasPages: Bool) {
        if hasPages {
            inputs.append(MethodSnippet.Input(name: "presenter", type: "any WebPresenter"))
            statements += ["var configuration = \(session).Configuration()", "configuration.presenter = presenter"]
        }
        statements.append("let session = \(session)(\(hasPages ? "configuration: configuration" : ""))")
    }

    /// Adds a statement that creates the parameters, from the settings as far as they contain the values.
    private mutating func addParameters(_ parameters: ResolvedParameters) throws {
        var arguments: [(label: String, value: String)] = []
        var fields = parameters.primaryFields.filter(\.isRequired)
        if parameters.fromSettings != nil, let settings = scope.settingsType {
            inputs.append(MethodSnippet.Input(name: "settings", type: settings.source))
            arguments.append((label: "settingsParameters", value: "settings"))
            let beside = Set(parameters.besideSettings.map(\.value))
            fields = parameters.primaryFields.filter { $0.isRequired && beside.contains($0.name.value) }
        }
        isThrowing = isThrowing || parameters.primaryThrows
        inputs += try fields.map { try MethodSnippet.Input($0, of: parameters) }
        arguments += try fields.map { (try Planning.identifier($0.name).label.source, try Planning.identifier($0.name).source) }
        statements += MethodSnippet.call(
            parameters.name.value, arguments, before: "let parameters = \(parameters.primaryThrows ? "try " : "")")
    }

    /// Adds the statement that registers the observer of a method.
    private mutating func register(_ method: ResolvedSurfaceMethod, _ arguments: [(label: String, value: String)]) {
        statements += MethodSnippet.register(MethodSnippet.call("\(method.name.value)Observer", arguments))
    }
}
