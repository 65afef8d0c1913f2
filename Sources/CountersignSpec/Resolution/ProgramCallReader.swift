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
        checkBody(of: node, sentBy: target?.method, into: &diagnostics)
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

    /// Reports a body of a method that has none, and a second body.
    private func checkBody(
        of node: DocumentNode, sentBy method: ResolvedProgram.Call.Method?, into diagnostics: inout DiagnosticCollector
    ) {
        let bodies = ["form", "json", "xml", "body"].compactMap { node.entry($0) }
        if let body = bodies.first, let method, !method.hasBody {
            diagnostics.report(
                .misplacedKey,
                "a \(method.rawValue) has no body for '\(body.key.value)'; send it with POST or PUT, or write 'query'",
                at: body.keySpan)
        }
        if bodies.count > 1 {
            diagnostics.report(
                .notExactlyOne, "a request has only one body; remove one of them", at: bodies[1].keySpan,
                notes: [Diagnostic.Note("the other one", at: bodies[0].key.location)])
        }
    }

    /// Returns the slot of the value in a whole reference.
    ///
    /// - Parameter refusal: The reason why the value must not be absent; `nil` if it may be absent.
    func slot(
        _ node: DocumentNode, of type: ProgramType, among kinds: Set<ProgramScope.Kind>, refusal: String? = nil, _ rule: String,
        into diagnostics: inout DiagnosticCollector
    ) -> Int? {
        let reader = ProgramTemplateReader(scope: scope, kinds: kinds, refusal: refusal)
        return reader.read(node, into: &diagnostics)?.slot(orReport: rule, into: &diagnostics) { $0.type == type }
    }

    /// - Parameters:
    ///   - isHidden: Whether the members are in the body. Then they can be secrets, and their names can have references.
    ///   - isInBrowser: Whether the body is that of a browser's request.
    /// - Returns: `nil` if one of them is wrong.
    func members(
        _ node: DocumentNode?, isHidden: Bool, isInBrowser: Bool = false, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Member]? {
        let entries = node?.entries ?? []
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps)
        let members = entries.compactMap { entry -> ResolvedProgram.Member? in
            let value = reader.read(entry.value, into: &diagnostics)
            let areAnswers = value?.loneReference?.value?.type == .answers
            if isHidden, !isInBrowser, entry.key.value == "*" || areAnswers {
                if let value, !areAnswers || entry.key.value != "*" { checkAnswers(value, entry, into: &diagnostics) }
            } else {
                value?.checkText(isHidden: isHidden, into: &diagnostics)
            }
            if isInBrowser { value?.checkPosted(into: &diagnostics) }
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
    func target(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> (method: ResolvedProgram.Call.Method, url: ResolvedProgram.Template)? {
        guard let (method, url) = node.requestTarget else { return nil }
        return address(url, of: "a request", isSent: true, into: &diagnostics).map { (method, $0) }
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
