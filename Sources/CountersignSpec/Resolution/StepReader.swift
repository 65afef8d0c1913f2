/// Reads the steps of a flow, one after another: what one leaves, later ones can refer to.
struct StepReader {
    private(set) var templates: TemplateReader
    /// The cases that steps can name; `nil` if they could not be read.
    let errors: ErrorScope?
    /// The fields of the parameters, for functions.
    let fields: FieldScope?
    /// What the steps lead to.
    let kind: Kind
    /// How the client identifies and authenticates itself in requests that say nothing of it.
    var client: DocumentNode?
    /// Whether the steps are those for a challenge after a resend.
    var isAfterResend = false

    /// What steps lead to.
    enum Kind {
        case cookies, token
        /// A credential that the application gives.
        case credential
    }

    /// - Returns: `nil` if a step cannot be read whole.
    mutating func steps(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedStep]? {
        guard let node, case .list(let items) = node.content else { return nil }
        if let end = items.firstIndex(where: { $0["fail"] != nil }), end + 1 < items.count {
            diagnostics.report(
                .unreachableStep, "this step is never reached", at: items[end + 1].entries.first?.keySpan ?? items[end + 1].span,
                notes: [Diagnostic.Note("the flow ends here", at: items[end].span.location)])
        }
        var steps: [ResolvedStep?] = []
        for item in items { steps.append(step(item, into: &diagnostics)) }
        let whole = steps.compactMap(\.self)
        return whole.count == steps.count ? whole : nil
    }

    private mutating func step(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedStep? {
        checkPlace(of: node, into: &diagnostics)
        if let fail = node["fail"] { return errorCase(fail, carrying: .nothing, into: &diagnostics).map { .fail($0) } }
        if let generate = node["generate"] { return self.generate(generate) }
        if let request = node["request"] { return self.request(request, node, into: &diagnostics) }
        if let present = node["present"] { return self.present(present, node, into: &diagnostics) }
        if node["ask"]?.text?.value == "credential" { return ask(node, into: &diagnostics) }
        if let again = node["again"]?.text {
            if again.value == "stored" { return .againIfStored }
            return again.value.strictInteger.map { .again(Located($0, at: again.location)) }
        }
        let steps: [(String, ResolvedStep)] = [("load", .load), ("store", .store), ("delete", .delete)]
        return steps.first { node[$0.0]?.text?.value == "credential" }?.1
    }

    /// Which steps stand where.
    private func checkPlace(of node: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        let ofCredential: Set = ["load", "ask", "store", "delete", "again"]
        let ofFlows: Set = ["generate", "present", "request"]
        for entry in node.entries {
            let word = entry.key.value
            if ofCredential.contains(word), kind != .credential {
                diagnostics.report(
                    .misplacedKey,
                    "'\(word)' is for a credential that the application gives: 'basic', 'api-key' or 'client-certificate'",
                    at: entry.keySpan)
            } else if word == "generate", kind == .cookies, !isAfterResend {
                diagnostics.report(
                    .misplacedKey, "'generate' is on the way to a token; this method's credential is cookies", at: entry.keySpan)
            } else if ofFlows.contains(word), kind == .credential {
                diagnostics.report(
                    .misplacedKey, "'\(word)' gets a credential from a server; this method's is given by the application",
                    at: entry.keySpan)
            } else if kind == .credential,
                isAfterResend ? ["load", "ask", "store"].contains(word) : ["delete", "again"].contains(word)
            {
                let place = isAfterResend ? "under 'authenticate'" : "under 'after-resend'"
                diagnostics.report(.misplacedKey, "'\(word)' stands \(place)", at: entry.keySpan)
            }
        }
    }

    private func ask(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedStep? {
        let failures: [(ResolvedAsk.Failure, Located<String>)]? = failures(
            node["fails"], of: "ask", into: &diagnostics
        ) { failure in
            switch failure {
            case .cancelled, .missing: .nothing
            case .unusable: .some(of: [.string])
            }
        }
        return failures.map { .ask(ResolvedAsk(failures: $0)) }
    }

    private mutating func generate(_ node: DocumentNode) -> ResolvedStep? {
        let words = node.items.compactMap { $0.text.flatMap { ResolvedStep.Generated(rawValue: $0.value) } }
        for word in words {
            switch word {
            case .state: templates.slots.append(.state)
            case .codeVerifier: templates.slots += [.codeVerifier, .codeChallenge]
            }
        }
        return words.count == node.items.count && !words.isEmpty ? .generate(words) : nil
    }

    // MARK: Present

    private mutating func present(
        _ present: DocumentNode, _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedStep? {
        let allowsHTTP = present.flag("allow-http")
        let pages = pages(present["url"], allowsHTTP: allowsHTTP, into: &diagnostics)
        let query = named(present["query"], isHidden: false, into: &diagnostics)
        if let query { checkProofKey(query, into: &diagnostics) }
        let finish = present["finish"]
        let isRedirect = finish?["redirect"] != nil
        if let entry = finish?.entry("redirect"), kind == .cookies {
            diagnostics.report(
                .misplacedKey, "a page that leaves cookies ends 'at' a URL; a 'redirect' is on the way to a token",
                at: entry.keySpan)
        }
        let failures: [(ResolvedPresent.PresentFailure, Located<String>)]? = failures(
            node["fails"], of: "present", into: &diagnostics
        ) { failure in
            switch failure {
            case .load: .error
            case .refused: .some(of: [.error])
            case .server: isRedirect ? .some(of: [.serverError]) : nil
            case .missing: isRedirect ? .nothing : nil
            case .dismissed, .reloaded, .background: .nothing
            }
        }
        guard isRedirect else {
            if let entry = present.entry("query") {
                diagnostics.report(
                    .misplacedKey, "'query' belongs to a page that ends at a 'redirect'; put it into the 'url'", at: entry.keySpan)
            }
            let end = url(finish?["at"], allowsHTTP: allowsHTTP, into: &diagnostics)
            let match = finish?.text("match").map(ResolvedPresent.FinishMatch.init(rawValue:)) ?? .exact
            let callback = callback(present["callback"], into: &diagnostics)
            guard let pages, let end, let match, let callback, let failures else { return nil }
            if let place = finish?["at"], end.text == pages.last.text {
                diagnostics.report(
                    .finishAtPage, "the page that is opened is its own finish: a browser may end it before it is shown",
                    at: place.span)
            }
            return .present(
                ResolvedPresent(
                    location: node.span.location, alternatives: pages.alternatives, url: pages.last, finish: end, match: match,
                    callback: callback.value,
                    explanations: explanations(present["explain"]), failures: failures))
        }
        if let entry = present.entry("callback") {
            diagnostics.report(
                .misplacedKey, "'callback' belongs to a page that ends 'at' a URL; this one ends at a 'redirect'", at: entry.keySpan
            )
        }
        let end = finish?["redirect"].flatMap { templates.read($0, into: &diagnostics) }
        end?.checkRedirect(into: &diagnostics)
        let verify = named(finish?["verify"], isHidden: false, into: &diagnostics)
        let capture = capture(finish?["capture"])
        checkState(verify, at: present.entry("finish")?.keySpan ?? node.span, into: &diagnostics)
        guard let pages, let query, let end, let verify, let capture, let failures else { return nil }
        return .present(
            ResolvedPresent(
                location: node.span.location, alternatives: pages.alternatives, url: pages.last, finish: end.resolved, match: .path,
                query: query, redirect: ResolvedRedirect(verify: verify, capture: capture),
                explanations: explanations(present["explain"]), failures: failures))
    }

    /// A redirect that an attacker can cause must be known by a random value.
    private func checkState(_ verify: [NamedTemplate]?, at span: SourceSpan, into diagnostics: inout DiagnosticCollector) {
        guard let verify else { return }
        let isVerified = verify.contains { $0.value.pieces.contains(.slot(.state)) }
        guard !isVerified else { return }
        diagnostics.report(
            .unverifiedRedirect,
            "nothing proves that the redirect belongs to this flow; generate a state, send it, and 'verify' it", at: span)
    }

    private mutating func capture(_ node: DocumentNode?) -> [(slot: Located<String>, name: String)]? {
        let entries = node?.entries ?? []
        let captures = entries.compactMap { entry in
            entry.value.text.map { (slot: entry.key, name: $0.value) }
        }
        templates.slots += captures.map { .captured($0.slot.value) }
        return captures.count == entries.count ? captures : nil
    }

    private func callback(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> Optionally<ResolvedCallback>? {
        guard let node else { return Optionally(value: nil) }
        return ResolvedCallback(reading: node, into: &diagnostics).map { Optionally(value: $0) }
    }

    private func explanations(_ node: DocumentNode?) -> [(status: Int, text: String)] {
        (node?.entries ?? []).compactMap { entry in
            guard let status = Int(entry.key.value), let text = entry.value.text else { return nil }
            return (status: status, text: text.value.trimmed)
        }
    }

    // MARK: Request

    private func request(
        _ request: DocumentNode, _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedStep? {
        if kind == .cookies, let entry = node.entry("request") {
            diagnostics.report(
                .misplacedKey, "'request' gets a token, and this method's credential is another", at: entry.keySpan)
        }
        let url = url(request["post"], allowsHTTP: request.flag("allow-http"), into: &diagnostics)
        let form = named(request["form"], isHidden: true, into: &diagnostics)
        let client = client(request["client"] ?? self.client, into: &diagnostics)
        let prepare = handler(request["prepare"], into: &diagnostics)
        let failures: [(ResolvedRequest.Failure, Located<String>)]? = failures(
            node["fails"], of: "request", into: &diagnostics
        ) { failure in
            switch failure {
            case .server: .some(of: [.serverError])
            case .status, .network, .noResponse: .some(of: [.error, .status, .responseText])
            case .decode: .some(of: [.string, .response, .responseData])
            }
        }
        guard let url, let form, let client, let prepare, let failures else { return nil }
        return .request(
            ResolvedRequest(
                location: node.span.location, url: url, client: client.value, form: form, prepare: prepare.value,
                failures: failures))
    }

    /// What may be absent, in a way that differs from what cannot be read.
    private struct Optionally<Value> {
        let value: Value?
    }

    private func client(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> Optionally<ResolvedRequest.Client>? {
        guard let node else { return Optionally(value: nil) }
        let id = node["id"].flatMap { value($0, isHidden: false, into: &diagnostics) }
        let secretNode = node["secret"]
        let secret = secretNode.flatMap { value($0, isHidden: true, into: &diagnostics) }
        if let secret, let secretNode, !secret.pieces.contains(where: \.isSecret) {
            diagnostics.report(
                .literalSecret, "a secret refers to a field of type 'secret'; this one would stand in generated code",
                at: secretNode.span)
        }
        let authentication =
            node.text("authentication").map(ResolvedRequest.Authentication.init(rawValue:)) ?? .basic
        guard let id, let authentication, secret != nil || secretNode == nil else { return nil }
        return Optionally(value: ResolvedRequest.Client(id: id, secret: secret, authentication: authentication))
    }

    private func handler(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> Optionally<Located<String>>? {
        guard let node, let name = node.text else { return node == nil ? Optionally(value: nil) : nil }
        guard let fields else { return nil }
        guard let field = fields[name.value] else {
            diagnostics.report(
                .unknownField, "there is no field '\(name.value)'", at: node.span,
                meaning: name.value, among: fields.names)
            return nil
        }
        guard field.type == .requestHandler || field.type == nil else {
            diagnostics.report(
                .wrongType, "'prepare' needs a field of type 'request-handler'", at: node.span,
                notes: [Diagnostic.Note("declared here", at: field.name.location)])
            return nil
        }
        return Optionally(value: name)
    }

    // MARK: Parts

    func url(
        _ node: DocumentNode?, allowsHTTP: Bool, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedTemplate? {
        guard let node, let template = templates.read(node, into: &diagnostics) else { return nil }
        template.checkURL(allowsHTTP: allowsHTTP, into: &diagnostics)
        template.checkIsOfParameters(into: &diagnostics)
        return template.resolved
    }

    func named(
        _ node: DocumentNode?, isHidden: Bool, into diagnostics: inout DiagnosticCollector
    ) -> [NamedTemplate]? {
        let entries = node?.entries ?? []
        var values: [NamedTemplate] = []
        for entry in entries {
            if let value = value(entry.value, isHidden: isHidden, into: &diagnostics) { values.append((entry.key, value)) }
        }
        return values.count == entries.count ? values : nil
    }

    private func value(
        _ node: DocumentNode, isHidden: Bool, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedTemplate? {
        guard let template = templates.read(node, into: &diagnostics) else { return nil }
        template.checkNamedValue(isHidden: isHidden, into: &diagnostics)
        return template.resolved
    }

    /// - Parameter use: What a case can carry that is raised for a failure; `nil` where the step cannot fail in this way.
    private func failures<Failure: RawRepresentable<String>>(
        _ node: DocumentNode?, of step: String, into diagnostics: inout DiagnosticCollector,
        use: (Failure) -> ErrorScope.Use?
    ) -> [(Failure, Located<String>)]? {
        let entries = node?.entries ?? []
        var failures: [(Failure, Located<String>)] = []
        for entry in entries {
            guard let failure = Failure(rawValue: entry.key.value), let use = use(failure) else {
                // A key that no step knows has been reported as such.
                if SpecLanguage.isFailure(entry.key.value) {
                    diagnostics.report(
                        .misplacedKey, "this '\(step)' cannot fail with '\(entry.key.value)'", at: entry.keySpan)
                }
                continue
            }
            if let name = errorCase(entry.value, carrying: use, into: &diagnostics) { failures.append((failure, name)) }
        }
        return failures.count == entries.count ? failures : nil
    }

    func errorCase(
        _ node: DocumentNode?, carrying expected: ErrorScope.Use, into diagnostics: inout DiagnosticCollector
    ) -> Located<String>? {
        guard let node, let name = node.text else { return nil }
        errors?.check(name, at: node.span, for: expected, into: &diagnostics)
        return name
    }
}
