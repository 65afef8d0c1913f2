/// Reads a method's document.
struct MethodReader {
    let settings: SettingsScope

    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(_ document: LandscapeDocuments.Method, into diagnostics: inout DiagnosticCollector) -> ResolvedMethod? {
        let root = document.root
        let credential = root.text("credential").flatMap(ResolvedCredential.init)
        let hasGrants = credential == .oauth2Token
        let isOfApplication = credential?.isOfApplication ?? false
        checkGrants(root, credential, into: &diagnostics)
        SurfaceReader.check(root, hasGrants: hasGrants, isOfApplication: isOfApplication, into: &diagnostics)
        checkParameters(root, credential, into: &diagnostics)
        checkAttachment(root, credential, into: &diagnostics)
        if !isOfApplication { root["errors"].checkSingle("a method has one error type", into: &diagnostics) }
        let errors = ErrorTypeReader.read(root["errors"], into: &diagnostics)
        let structs = (root["parameters"]?.entries ?? []).map {
            StructReader(settings: settings).read($0, errors: errors.scope, into: &diagnostics)
        }
        // Which grant's parameters a challenge would be made with is ambiguous.
        let templates = TemplateReader(
            references: .parameters(hasGrants || isOfApplication ? FieldScope(fields: []) : structs.first?.scope))
        let challenges = ChallengeReader(
            templates: templates, errors: errors.scope, isRefusable: isOfApplication,
            isForConnections: credential == .clientCertificate
        )
        .read(root["challenge"], into: &diagnostics)
        let reader = FlowReader(templates: templates, errors: errors.scope, hasGrants: hasGrants, isOfApplication: isOfApplication)
        let flow = reader.read(root["flow"], at: root.entry("flow")?.keySpan ?? root.span, into: &diagnostics)
        let grants = reader.grants(root["grants"], structs: structs, into: &diagnostics)
        if hasGrants { checkUse(of: root["parameters"], by: root["grants"], into: &diagnostics) }
        let parameters = isOfApplication ? nil : structs.first?.parameters
        guard let name = root.text("method", as: .typeName), parameters != nil || isOfApplication,
            let errorTypes = errors.types, let errorType = errorTypes.first,
            let challenges, let flow, let grants, let credential
        else { return nil }
        return ResolvedMethod(
            name: name, stem: document.stem, origin: document.origin, documentation: root.documentation,
            title: root.text("title")?.trimmed, parameters: parameters,
            challenges: challenges, credential: credential, attachment: root["attach"]?["header"]?.text,
            authenticate: flow.authenticate, grants: grants, afterResend: flow.afterResend,
            errors: errorType, furtherErrors: Array(errorTypes.dropFirst()), busy: flow.busy, invalidArgument: flow.invalidArgument,
            mock: ResolvedMock(reading: root["mock"]), labels: root.texts("labels", as: .memberName),
            logsCompletion: root.text("completion") == "logged",
            isSecondFactor: root.text("factor") == "second")
    }

    private func checkGrants(
        _ root: DocumentNode, _ credential: ResolvedCredential?, into diagnostics: inout DiagnosticCollector
    ) {
        switch (credential, root.entry("grants")) {
        case (.oauth2Token, nil):
            diagnostics.report(
                .missingKey, "a method whose credential is 'oauth2-token' needs the key 'grants'",
                at: root.entry("credential")?.keySpan ?? root.span)
        case (let credential?, let entry?) where credential != .oauth2Token:
            diagnostics.report(
                .misplacedKey, "'grants' get tokens; this method's credential is '\(credential.rawValue)'", at: entry.keySpan)
        default: break
        }
    }

    private func checkParameters(
        _ root: DocumentNode, _ credential: ResolvedCredential?, into diagnostics: inout DiagnosticCollector
    ) {
        guard let credential else { return }
        switch (credential.isOfApplication, root.entry("parameters")) {
        case (true, let entry?):
            diagnostics.report(
                .misplacedKey,
                "a method whose credential is '\(credential.rawValue)' has no parameters: the application gives the credential",
                at: entry.keySpan)
        case (false, nil):
            diagnostics.report(.missingKey, "a method needs the key 'parameters'", at: root.span)
        case (false, _?) where credential != .oauth2Token:
            root["parameters"].checkSingle("a method without grants has one parameter struct", into: &diagnostics)
        default: break
        }
    }

    private func checkAttachment(
        _ root: DocumentNode, _ credential: ResolvedCredential?, into diagnostics: inout DiagnosticCollector
    ) {
        switch (credential, root.entry("attach")) {
        case (.apiKey, nil):
            diagnostics.report(
                .missingKey, "a method whose credential is 'api-key' needs the key 'attach'",
                at: root.entry("credential")?.keySpan ?? root.span)
        case (let credential?, let entry?) where credential != .apiKey:
            diagnostics.report(
                .misplacedKey, "'attach' is for a credential of the kind 'api-key'; this one is '\(credential.rawValue)'",
                at: entry.keySpan)
        default: break
        }
    }

    /// A struct that no grant is run with is of no use.
    private func checkUse(
        of parameters: DocumentNode?, by grants: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) {
        guard let grants else { return }
        let used = Set(grants.entries.compactMap { $0.value.text("parameters") })
        for entry in parameters?.entries ?? [] where !used.contains(entry.key.value) {
            diagnostics.report(
                .unusedParameter, "the parameter struct '\(entry.key.value)' is used by no grant", at: entry.keySpan)
        }
    }
}

extension ResolvedMock {
    /// Reads how the server is played.
    init(reading node: DocumentNode?) {
        self.init()
        guard let node else { return }
        sessionCookie = node.text("session-cookie") ?? sessionCookie
        loginRedirect = node.text("login-redirect").flatMap(LoginRedirect.init) ?? loginRedirect
        page = node.text("page").flatMap(Page.init) ?? page
        userField = node.text("user-field") ?? userField
        passwordField = node.text("password-field") ?? passwordField
    }
}
