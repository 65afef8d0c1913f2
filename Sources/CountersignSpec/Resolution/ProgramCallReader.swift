/// Reads a request that the method itself sends.
struct ProgramCallReader {
    /// The values before the step.
    let scope: ProgramScope

    /// - Parameter answers: The expected answers; `nil` if they could not be read.
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(
        _ node: DocumentNode, answers: [ResolvedProgram.Answer]?, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Call? {
        let target = node["send"].flatMap { self.target($0, into: &diagnostics) }
        let query = members(node["query"], isHidden: false, into: &diagnostics)
        let headers = headers(of: node, into: &diagnostics)
        let form = members(node["form"], isHidden: true, into: &diagnostics)
        let fields = ProgramFieldReader(scope: scope, kinds: scope.kindsInSteps)
        let login = node["sign"].flatMap { $0["basic"] == nil ? nil : fields.login($0, into: &diagnostics) }
        let signature = node["sign"]?["aws-sigv4"].flatMap { fields.signatureVersion4($0, into: &diagnostics) }
        let proof = node["sign"]?["dpop"].flatMap { fields.proof($0, into: &diagnostics) }
        let client = node["client"].flatMap { self.client($0, into: &diagnostics) }
        checkClient(node.entry("client"), of: node, into: &diagnostics)
        if let sign = node.entry("sign"), sign.value["dpop"] == nil, let client = node.entry("client") {
            diagnostics.report(
                .notExactlyOne, "'client' already authenticates the request; remove 'client' or 'sign'", at: sign.keySpan,
                notes: [Diagnostic.Note("the other one", at: client.key.location)])
        }
        let json = node["json"].flatMap {
            ProgramJSONReader(scope: scope, refusal: "the request would have an empty body").read($0, into: &diagnostics)
        }
        let xml = node["xml"].flatMap { ProgramXMLReader(scope: scope).read($0, into: &diagnostics) }
        let request = node["body"].flatMap {
            slot(
                $0, of: .certificateRequest, among: scope.kindsInSteps, refusal: "the request would have an empty body",
                "'body' must be a whole reference to a certificate request", into: &diagnostics)
        }
        let identity = node["identity"].flatMap {
            slot(
                $0, of: .identity, among: [.credential], refusal: "the connection would be made without a certificate",
                "'identity' must be a whole reference to a field of the credential of type 'identity'", into: &diagnostics)
        }
        let pins = node["pins"].flatMap {
            slot(
                $0, of: .texts, among: [.parameter], "'pins' must be a whole reference to a parameter of type 'texts'",
                into: &diagnostics)
        }
        let bodies = ["form", "json", "xml", "body"].compactMap { node.entry($0) }
        if let body = bodies.first, let target, !target.method.hasBody {
            diagnostics.report(
                .misplacedKey,
                "a \(target.method.rawValue) has no body for '\(body.key.value)'; send it with POST or PUT, or write 'query'",
                at: body.keySpan)
        }
        if bodies.count > 1 {
            diagnostics.report(
                .notExactlyOne, "a request has only one body; remove one of them", at: bodies[1].keySpan,
                notes: [Diagnostic.Note("the other one", at: bodies[0].key.location)])
        }
        guard let target, let query, let headers, let form, json != nil || node["json"] == nil,
            xml != nil || node["xml"] == nil,
            login != nil || signature != nil || proof != nil || node["sign"] == nil, client != nil || node["client"] == nil,
            request != nil || node["body"] == nil,
            identity != nil || node["identity"] == nil, pins != nil || node["pins"] == nil, let answers
        else { return nil }
        let data = request.map { ResolvedProgram.Body.data($0, type: "application/pkcs10") }
        let body = node["form"] == nil ? json.map { .json($0) } ?? xml.map { .xml($0) } ?? data : .form(form)
        return ResolvedProgram.Call(
            method: target.method, url: target.url, query: query, headers: headers, body: body, login: login, signature: signature,
            proof: proof, client: client, answers: answers, usesSession: node["using"] != nil, identity: identity, pins: pins,
            message: node.text("message", as: .pointer)?.value)
    }

    /// Returns the slot of the value in a whole reference.
    ///
    /// - Parameter refusal: The reason why the value must not be absent; `nil` if it may be absent.
    private func slot(
        _ node: DocumentNode, of type: ProgramType, among kinds: Set<ProgramScope.Kind>, refusal: String? = nil, _ rule: String,
        into diagnostics: inout DiagnosticCollector
    ) -> Int? {
        let reader = ProgramTemplateReader(scope: scope, kinds: kinds, refusal: refusal)
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        guard let reference = template.loneReference, reference.value?.type == type, case .slot(let slot) = reference.piece else {
            diagnostics.report(.wrongType, rule, at: template.loneReference?.span ?? node.span)
            return nil
        }
        return slot
    }

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
        let preparation = node["prepare"].flatMap { self.preparation($0, into: &diagnostics) }
        guard let target, let form, client != nil || clientNode == nil, preparation != nil || node["prepare"] == nil else {
            return nil
        }
        return ResolvedProgram.TokenCall(
            url: target.url, client: client, form: form, preparation: preparation, failures: failures)
    }

    /// Reports header fields and form items that the client writes already. The form may contain the client's own `client_id`.
    private func checkClient(
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

    /// Returns the slot of the application's function that changes a request before it is sent.
    private func preparation(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> Int? {
        guard let template = ProgramTemplateReader(scope: scope, kinds: [.parameter]).read(node, into: &diagnostics) else {
            return nil
        }
        guard let reference = template.loneReference, reference.value?.type == .requestHandler,
            case .slot(let slot) = reference.piece
        else {
            diagnostics.report(
                .wrongType, "'prepare' must be a whole reference to a parameter of type 'request-handler'",
                at: template.loneReference?.span ?? node.span)
            return nil
        }
        return slot
    }

    /// Reads a page that replaces another one.
    ///
    /// - Returns: `nil` if it cannot be read; that is reported.
    func alternative(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> (template: ResolvedProgram.Template, isOptional: Bool)? {
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps)
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        template.checkText(isHidden: false, into: &diagnostics)
        check(template, of: "a page", into: &diagnostics)
        return (template.resolved, template.absence(in: scope) != nil)
    }

    /// Reads a login page, without its end and its answers.
    ///
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func page(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> (
        url: ResolvedProgram.Template, query: [ResolvedProgram.Member]
    )? {
        let url = node["open"].flatMap { address($0, of: "a page", into: &diagnostics) }
        let query = members(node["query"], isHidden: false, into: &diagnostics)
        guard let url, let query else { return nil }
        return (url, query)
    }

    /// Reads the location of a document.
    ///
    /// - Parameter isAlone: Whether only a whole reference is valid.
    /// - Returns: `nil` if it cannot be read; that is reported.
    func place(
        _ node: DocumentNode, isAlone: Bool = false, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Template? {
        // A renewal has no challenge. A location with a value of a challenge is skipped there.
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps.union([.challenge]))
        guard let place = reader.read(node, into: &diagnostics) else { return nil }
        place.checkText(isHidden: false, into: &diagnostics)
        check(place, of: "a document", behind: [.parameter, .step], into: &diagnostics)
        let template = place.resolved
        if isAlone, template.pieces.count != 1 || template.slots.isEmpty {
            diagnostics.report(.wrongType, "'of' is a whole reference to a URL, such as \"{issuer}\"", at: node.span)
            return nil
        }
        return template
    }

    /// Reads the verification of a token.
    ///
    /// - Parameter captures: The captures of claims; `nil` if they could not be read.
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func verification(
        _ node: DocumentNode, captures: [ResolvedProgram.Capture]?, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Verification? {
        func slot(_ key: String, _ type: ProgramType, _ rule: String, into diagnostics: inout DiagnosticCollector) -> Int? {
            node[key].flatMap {
                self.slot(
                    $0, of: type, among: scope.kindsInSteps, refusal: "nothing can be checked without it; add 'when'", rule,
                    into: &diagnostics)
            }
        }
        let token = slot("jwt", .secret, "'jwt' must be a whole reference to a token of type 'secret'", into: &diagnostics)
        let keys = slot("keys", .url, "'keys' must be a whole reference to a value of type 'url'", into: &diagnostics)
        let accessToken = slot(
            "access-token", .secret, "'access-token' must be a whole reference to an access token of type 'secret'",
            into: &diagnostics)
        let maximumAge = node["max-age"].flatMap {
            self.slot(
                $0, of: .string, among: scope.kindsInSteps, "'max-age' must be a whole reference to a value of type 'string'",
                into: &diagnostics)
        }
        let claims = members(node["claims"], isHidden: true, into: &diagnostics)
        for name in ["iss", "aud"] {
            guard let claims = node.entry("claims"), claims.value[name] == nil else { continue }
            diagnostics.report(
                .missingKey,
                "without '\(name)', a token of another \(name == "iss" ? "issuer" : "client") would be accepted; add it",
                at: claims.keySpan)
        }
        for entry in node["claims"]?.entries ?? [] where ["iss", "aud"].contains(entry.key.value) {
            let reader = ProgramTemplateReader(
                scope: scope, kinds: scope.kindsInSteps,
                refusal: "without it, a token of another issuer or client would be accepted; make it required"
            )
            _ = reader.read(entry.value, into: &diagnostics)
        }
        guard let token, let keys, let claims, let captures, accessToken != nil || node["access-token"] == nil,
            maximumAge != nil || node["max-age"] == nil
        else { return nil }
        return ResolvedProgram.Verification(
            token: token, keys: keys, claims: claims, accessToken: accessToken, maximumAge: maximumAge,
            captures: captures)
    }

    /// Reads the address that ends a page.
    ///
    /// - Returns: `nil` if it cannot be read; that is reported.
    func end(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Template? {
        address(node, of: "the end of a page", into: &diagnostics)
    }

    /// Reads named values of a query, such as those that must come back.
    ///
    /// - Returns: `nil` if one of them is wrong.
    func expected(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Member]? {
        members(node, isHidden: false, into: &diagnostics)
    }

    /// - Parameter isShown: Whether a page's URL contains the identifier, too.
    private func client(
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

    private func audience(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Template? {
        let reader = ProgramTemplateReader(
            scope: scope, kinds: scope.kindsInSteps, refusal: "without it, no assertion would be signed; make it required")
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        template.checkText(isHidden: false, into: &diagnostics)
        return template.resolved
    }

    /// Reads the pushed authorization request of a page.
    ///
    /// - Returns: `nil` if it cannot be read; that is reported.
    func push(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Page.Push? {
        let url = node["to"].flatMap { alternative($0, into: &diagnostics)?.template }
        let client = node["client"].flatMap { self.client($0, isShown: true, into: &diagnostics) }
        let fields = ProgramFieldReader(scope: scope, kinds: scope.kindsInSteps)
        let proof = node["sign"]?["dpop"].flatMap { fields.proof($0, into: &diagnostics) }
        guard let url, let client, proof != nil || node["sign"] == nil else { return nil }
        return ResolvedProgram.Page.Push(url: url, client: client, proof: proof)
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

    /// - Parameter isHidden: Whether the members are in the body. Then they can be secrets, and their names can have references.
    /// - Returns: `nil` if one of them is wrong.
    private func members(
        _ node: DocumentNode?, isHidden: Bool, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Member]? {
        let entries = node?.entries ?? []
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps)
        let members = entries.compactMap { entry -> ResolvedProgram.Member? in
            let value = reader.read(entry.value, into: &diagnostics)
            let areAnswers = value?.loneReference?.value?.type == .answers
            if isHidden, entry.key.value == "*" || areAnswers {
                if let value, !areAnswers || entry.key.value != "*" { checkAnswers(value, entry, into: &diagnostics) }
            } else {
                value?.checkText(isHidden: isHidden, into: &diagnostics)
            }
            let name = isHidden ? name(of: entry, into: &diagnostics) : .init(pieces: [.text(entry.key.value)])
            guard TextForm.formName.accepts(entry.key.value), let name, let value else { return nil }
            return ResolvedProgram.Member(name: name, value: value.resolved)
        }
        return members.count == entries.count ? members : nil
    }

    /// Reports the name `*` in a form with a value other than answers, and answers with another name.
    private func checkAnswers(
        _ value: LocatedProgramTemplate, _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) {
        diagnostics.report(
            .wrongType,
            "the name \"*\" and the 'answers' of a prompt can only be used together; write \"*\": \"{answers}\"",
            at: entry.key.value == "*" ? value.span : entry.keySpan)
    }

    /// Reads the name of a form's field, of a JSON member or of an attached query parameter, which can refer to parameters.
    ///
    /// - Returns: `nil` if it cannot be read; that is reported.
    func name(
        of entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Template? {
        let reader = ProgramTemplateReader(
            scope: scope, kinds: [.parameter], refusal: "a value needs a name; give the parameter a default", isName: true)
        let name = reader.read(entry.keyNode, into: &diagnostics)
        name?.checkText(isHidden: false, into: &diagnostics)
        return name?.resolved
    }

    /// - Returns: `nil` if one of them is wrong.
    private func headers(
        of node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Member]? {
        let entries = node["headers"]?.entries ?? []
        let reader = ProgramFieldReader(scope: scope, kinds: scope.kindsInSteps)
        var names = UniqueNames()
        let headers = entries.compactMap { entry in
            names.check(
                entry, "the header field '\(entry.key.value)' is already listed; names are case-insensitive", into: &diagnostics)
            return reader.field(entry, into: &diagnostics)
        }
        ProgramFieldReader.check(entries, withoutThoseOf: node.entry("sign"), into: &diagnostics)
        ProgramFieldReader.check(
            entries, without: "content-type", by: node.entry("form") ?? node.entry("json") ?? node.entry("body"),
            into: &diagnostics)
        return headers.count == entries.count ? headers : nil
    }

    /// Reads an HTTP method and a URL.
    private func target(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> (method: ResolvedProgram.Call.Method, url: ResolvedProgram.Template)? {
        guard let (method, url) = node.requestTarget else { return nil }
        return address(url, of: "a request", isSent: true, into: &diagnostics).map { (method, $0) }
    }

    /// - Parameter isSent: Whether a URL that a server may not publish is valid. If it is absent, sending the request is an
    ///   error.
    private func address(
        _ node: DocumentNode, of what: String, isSent: Bool = false, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Template? {
        let reader = ProgramTemplateReader(
            scope: scope, kinds: scope.kindsInSteps, refusal: "\(what) needs a URL; make it required, or give it a default",
            allowsMissingAddress: isSent)
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        template.checkText(isHidden: false, into: &diagnostics)
        check(template, of: what, into: &diagnostics)
        return template.resolved
    }

    /// Reports a URL in which a value could choose another server: it must be a literal, or begin with a URL that a reference
    /// provides.
    ///
    /// - Parameter kinds: The kinds of URLs that can be followed by a path.
    func check(
        _ url: LocatedProgramTemplate, of what: String, behind kinds: Set<ProgramScope.Kind> = [.parameter],
        into diagnostics: inout DiagnosticCollector
    ) {
        let pieces = url.pieces
        if url.isLiteral, let piece = pieces.first, case .text(let text) = piece.piece {
            URLText.checkLogin(text, at: piece.span, into: &diagnostics)
            return
        }
        // Mistakes in these values have been reported by `checkText`.
        if pieces.contains(where: { $0.value?.type == .secret || $0.value?.type?.isText == false }) { return }
        let isURL = pieces.first?.value?.type == .url
        if isURL, pieces.count == 1 { return }
        let rest = pieces.dropFirst()
        guard isURL, let second = rest.first, pieces[0].value.map({ kinds.contains($0.kind) }) == true, case .text = second.piece,
            rest.allSatisfy({ $0.value == nil || $0.value?.type == .string })
        else {
            diagnostics.report(
                .wrongType,
                "the URL of \(what) must be a whole reference to a URL; a parameter of type 'url' followed by a path, such as "
                    + "\"{endpoint}/token\", in which a 'string' can be a segment; or a URL without references",
                at: url.span)
            return
        }
        // A value is encoded as a whole segment, so that any letter can replace it here.
        let path = rest.map { if case .text(let text) = $0.piece { text } else { "x" } }.joined()
        if !TextForm.path.accepts(path) {
            diagnostics.report(
                .invalidValue, "the URL of a parameter must be followed by \(TextForm.path.expectation)", at: second.span)
            return
        }
        checkSegments(pieces, into: &diagnostics)
    }

    /// Reports values in a path that are not whole segments between slashes.
    private func checkSegments(_ pieces: [LocatedProgramTemplate.Piece], into diagnostics: inout DiagnosticCollector) {
        let texts = pieces.map { if case .text(let text) = $0.piece { text } else { String?.none } }
        for index in pieces.indices.dropFirst() where texts[index] == nil {
            let isOpened = texts[index - 1]?.hasSuffix("/") == true
            let isClosed = index + 1 == pieces.count || texts[index + 1]?.hasPrefix("/") == true
            guard !isOpened || !isClosed else { continue }
            diagnostics.report(.invalidValue, "a value in a path must be a whole segment, between slashes", at: pieces[index].span)
        }
    }
}

extension DocumentNode {
    /// The HTTP method and the URL of a text like `GET {endpoint}`; `nil` for other texts.
    var requestTarget: (method: ResolvedProgram.Call.Method, url: DocumentNode)? {
        guard let text = text?.value, let (method, rest) = ResolvedProgram.Call.split(text) else { return nil }
        let span = span(from: method.rawValue.count + 1, length: rest.unicodeScalars.count)
        return (method, DocumentNode(content: .text(String(rest)), span: span, textStart: textStart.map { _ in span.location }))
    }
}
