// Token requests, and the authentication of an OAuth 2.0 client.

extension ProgramCallReader {
    /// Reads a request whose answer is a token.
    ///
    /// - Parameter client: The client of the method, for a request that names none.
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func token(
        _ node: DocumentNode, client methodClient: DocumentNode.Entry?,
        _ failures: [(failure: ResolvedProgram.TokenCall.Failure, errorCase: Located<String>)],
        into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.TokenCall? {
        for key in ["query", "headers", "json", "xml", "body", "sign", "using", "pins", "message"] {
            guard let entry = node.entry(key) else { continue }
            diagnostics.report(
                .misplacedKey, "a token request is a form (RFC 6749, section 3.2); remove '\(key)'", at: entry.keySpan)
        }
        let target = node["send"].flatMap { self.target($0, into: &diagnostics) }
        if let target, target.method != .post, let send = node["send"] {
            diagnostics.report(.invalidValue, "a token request is a POST (RFC 6749, section 3.2)", at: send.span)
        }
        let form = members(node["form"], isHidden: true, into: &diagnostics)
        let clientEntry = node.entry("client") ?? methodClient
        checkClient(clientEntry, of: node, into: &diagnostics)
        let clientNode = clientEntry?.value
        let client = clientNode.flatMap { self.client($0, into: &diagnostics) }
        let preparation = node["prepare"].flatMap {
            slot(
                $0, of: .requestHandler, among: [.parameter],
                "'prepare' must be a whole reference to a parameter of type 'request-handler'", into: &diagnostics)
        }
        guard let target, let form, client != nil || clientNode == nil, preparation != nil || node["prepare"] == nil else {
            return nil
        }
        return ResolvedProgram.TokenCall(
            url: target.url, client: client, form: form, preparation: preparation, failures: failures)
    }

    /// Reports header fields and form items that the client writes already. The form may contain the client's own `client_id`.
    func checkClient(
        _ client: DocumentNode.Entry?, of node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) {
        ProgramFieldReader.check(node["headers"]?.entries ?? [], without: "authorization", by: client, into: &diagnostics)
        if let name = node["form"]?["client_id"]?.text?.value, name != client?.value["id"]?.text?.value {
            ProgramFieldReader.check(node["form"]?.entries ?? [], without: "client_id", by: client, into: &diagnostics)
        }
        ProgramFieldReader.check(node["form"]?.entries ?? [], without: "client_secret", by: client, into: &diagnostics)
        guard client?.value["key"] != nil else { return }
        for name in ["client_assertion", "client_assertion_type"] {
            ProgramFieldReader.check(node["form"]?.entries ?? [], without: name, by: client, into: &diagnostics)
        }
    }

    /// - Parameter isShown: Whether a page's URL contains the identifier, too.
    func client(
        _ node: DocumentNode, isShown: Bool = false, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Client? {
        let reader = ProgramFieldReader(scope: scope, kinds: scope.kindsInSteps)
        let identifiers = ProgramFieldReader(scope: scope, kinds: scope.kindsInSteps, canBeSecret: !isShown)
        let identifier = node["id"].flatMap { identifiers.template($0, into: &diagnostics) }
        let secret = node["secret"].flatMap { reader.template($0, into: &diagnostics) }
        secret?.checkSentSecret("a client's secret", into: &diagnostics)
        let authentication = node["authentication"].flatMap { self.authentication($0, into: &diagnostics) }
        let key = node["key"].flatMap { reader.template($0, into: &diagnostics) }
        key?.checkSentSecret("a private key", into: &diagnostics)
        let keyIdentifier = node["key-id"].flatMap { reader.template($0, into: &diagnostics) }
        let audience = node["audience"].flatMap { self.audience($0, into: &diagnostics) }
        if let key = node.entry("key"), node["audience"] == nil {
            diagnostics.report(
                .missingKey, "an assertion without an audience could be used at another server; add 'audience'",
                at: key.keySpan)
        }
        guard let identifier, secret != nil || node["secret"] == nil, authentication != nil || node["authentication"] == nil,
            key != nil || node["key"] == nil, keyIdentifier != nil || node["key-id"] == nil,
            audience != nil || node["audience"] == nil
        else { return nil }
        return ResolvedProgram.Client(
            identifier: identifier.resolved, secret: secret?.resolved, authentication: authentication, key: key?.resolved,
            keyIdentifier: keyIdentifier?.resolved, audience: audience, usesPSS: node.text("rsa-algorithm") == "PS256")
    }

    private func authentication(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Template? {
        let reader = ProgramTemplateReader(
            scope: scope, kinds: scope.kindsInSteps, refusal: "a client needs an authentication method; give it a default")
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        template.checkText(isHidden: false, into: &diagnostics)
        let words = ["client_secret_basic", "client_secret_post", "raw_basic"]
        if template.isLiteral, let text = node.text?.value, !words.contains(text) {
            diagnostics.report(
                .unknownWord, "'\(text.firstLine)' is not a client authentication method", at: node.span, meaning: text,
                among: words)
        }
        return template.resolved
    }

    private func audience(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Template? {
        let reader = ProgramTemplateReader(
            scope: scope, kinds: scope.kindsInSteps, refusal: "without it, no assertion would be signed; make it required")
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        template.checkText(isHidden: false, into: &diagnostics)
        return template.resolved
    }
}
