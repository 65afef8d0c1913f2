/// Reads a method's document.
struct MethodReader {
    let settings: SettingsScope

    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(_ document: LandscapeDocuments.Method, into diagnostics: inout DiagnosticCollector) -> ResolvedMethod? {
        let root = document.root
        checkSingle(root["parameters"], "a method has one parameter struct", into: &diagnostics)
        checkSingle(root["errors"], "a method has one error type", into: &diagnostics)
        let parameters = root["parameters"]?.entries.first.map { readParameters($0, into: &diagnostics) }
        let errors = ErrorTypeReader.read(root["errors"], into: &diagnostics)
        let templates = TemplateReader(references: .parameters(parameters?.scope))
        let challenges = ChallengeReader(templates: templates).read(root["challenge"], into: &diagnostics)
        let flow = FlowReader(templates: templates, errors: errors.scope).read(root["flow"], into: &diagnostics)
        guard let name = root.text("method", as: .typeName), let parameters = parameters?.parameters, let errorType = errors.type,
            let challenges, let flow, let credential = root.text("credential").flatMap(ResolvedCredential.init)
        else { return nil }
        return ResolvedMethod(
            name: name, stem: document.stem, origin: document.origin, documentation: root.documentation, parameters: parameters,
            challenges: challenges, credential: credential, authenticate: flow.authenticate, afterResend: flow.afterResend,
            errors: errorType, busy: flow.busy, invalidArgument: flow.invalidArgument, mock: mock(root["mock"]))
    }

    private func checkSingle(_ node: DocumentNode?, _ message: String, into diagnostics: inout DiagnosticCollector) {
        guard let entries = node?.entries, let first = entries.first else { return }
        for other in entries.dropFirst() {
            diagnostics.report(
                .notExactlyOne, message, at: other.keySpan, notes: [Diagnostic.Note("the first one", at: first.key.location)])
        }
    }

    private func readParameters(
        _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ParametersReader.Reading {
        let reading = ParametersReader.read(entry, into: &diagnostics)
        guard let from = entry.value["from"]?.entry("settings") else {
            for field in reading.parameters?.fields ?? [] {
                field.checkExample("a required parameter that does not come from the settings", into: &diagnostics)
            }
            return reading
        }
        let values = FromSettingsReader(settings: settings, fields: reading.scope).read(from, into: &diagnostics)
        var parameters = reading.parameters
        parameters?.fromSettings = values
        return ParametersReader.Reading(parameters: values == nil ? nil : parameters, scope: reading.scope)
    }

    private func mock(_ node: DocumentNode?) -> ResolvedMock {
        var mock = ResolvedMock()
        guard let node else { return mock }
        mock.sessionCookie = node.text("session-cookie") ?? mock.sessionCookie
        mock.loginRedirect = node.text("login-redirect").flatMap(ResolvedMock.LoginRedirect.init) ?? mock.loginRedirect
        mock.userField = node.text("user-field") ?? mock.userField
        mock.passwordField = node.text("password-field") ?? mock.passwordField
        return mock
    }
}
