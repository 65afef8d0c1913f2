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
        if !isOfApplication { checkSingle(root["errors"], "a method has one error type", into: &diagnostics) }
        let errors = ErrorTypeReader.read(root["errors"], into: &diagnostics)
        let structs = (root["parameters"]?.entries ?? []).map { readParameters($0, errors: errors.scope, into: &diagnostics) }
        // Which grant's parameters a challenge would be made with, nobody could say.
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
            mock: mock(root["mock"]), labels: root.texts("labels", as: .memberName),
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
            checkSingle(root["parameters"], "a method without grants has one parameter struct", into: &diagnostics)
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

    /// A struct that no grant is run with is of use to nobody.
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

    private func checkSingle(_ node: DocumentNode?, _ message: String, into diagnostics: inout DiagnosticCollector) {
        guard let entries = node?.entries, let first = entries.first else { return }
        for other in entries.dropFirst() {
            diagnostics.report(
                .notExactlyOne, message, at: other.keySpan, notes: [Diagnostic.Note("the first one", at: first.key.location)])
        }
    }

    private func readParameters(
        _ entry: DocumentNode.Entry, errors: ErrorScope?, into diagnostics: inout DiagnosticCollector
    ) -> ParametersReader.Reading {
        var reading = ParametersReader.read(entry, into: &diagnostics)
        let initialisers = reading.scope.map {
            InitialiserReader(fields: $0, errors: errors).read(entry.value["initialisers"], into: &diagnostics)
        }
        if let initialisers { reading.parameters?.initialisers = initialisers ?? [] }
        guard let from = entry.value["from"]?.entry("settings") else {
            for field in reading.parameters?.fields ?? [] {
                field.checkExample("a required parameter that does not come from the settings", into: &diagnostics)
            }
            return reading
        }
        let beside = beside(entry.value["from"]?["beside"], in: reading, into: &diagnostics)
        let values = FromSettingsReader(settings: settings, fields: reading.scope, beside: Set(beside.map(\.value)))
            .read(from, into: &diagnostics)
        reading.parameters?.fromSettings = values
        reading.parameters?.besideSettings = beside
        if values == nil { reading.parameters = nil }
        return reading
    }

    private func beside(
        _ node: DocumentNode?, in reading: ParametersReader.Reading, into diagnostics: inout DiagnosticCollector
    ) -> [Located<String>] {
        guard let scope = reading.scope else { return [] }
        return (node?.items ?? []).compactMap { item in
            guard let name = item.text else { return nil }
            guard scope[name.value] != nil else {
                diagnostics.report(
                    .unknownField, "there is no field '\(name.value)'", at: item.span,
                    suggestion: Suggestion.nearest(to: name.value, among: scope.names))
                return nil
            }
            reading.parameters?.fields.first { $0.name.value == name.value }?
                .checkExample("a parameter beside the settings", into: &diagnostics)
            return name
        }
    }

    private func mock(_ node: DocumentNode?) -> ResolvedMock {
        var mock = ResolvedMock()
        guard let node else { return mock }
        mock.sessionCookie = node.text("session-cookie") ?? mock.sessionCookie
        mock.loginRedirect = node.text("login-redirect").flatMap(ResolvedMock.LoginRedirect.init) ?? mock.loginRedirect
        mock.page = node.text("page").flatMap(ResolvedMock.Page.init) ?? mock.page
        mock.userField = node.text("user-field") ?? mock.userField
        mock.passwordField = node.text("password-field") ?? mock.passwordField
        return mock
    }
}
