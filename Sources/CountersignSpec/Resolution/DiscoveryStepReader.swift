/// Reads the steps to a certificate, one after another: what one leaves, later ones can refer to.
struct DiscoveryStepReader {
    private(set) var templates: TemplateReader
    /// The cases that steps can name; `nil` if they could not be read.
    let errors: ErrorScope?
    private var hasKey = false
    private var hasAnswer = false

    init(templates: TemplateReader, errors: ErrorScope?) {
        self.templates = templates
        self.errors = errors
    }

    /// - Returns: `nil` if a step cannot be read whole.
    mutating func steps(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> [ResolvedDiscoveryStep]? {
        guard case .list(let items) = node.content else { return nil }
        var steps: [ResolvedDiscoveryStep] = []
        for item in items { if let step = step(item, into: &diagnostics) { steps.append(step) } }
        return steps.count == items.count ? steps : nil
    }

    private mutating func step(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedDiscoveryStep? {
        checkOrder(of: node, into: &diagnostics)
        let action = action(node, into: &diagnostics)
        guard let kind = node.entries.first(where: { Self.failures[$0.key.value] != nil })?.key.value else { return nil }
        let failures = failures(node["fails"], of: kind, into: &diagnostics)
        guard let action, let failures else { return nil }
        return ResolvedDiscoveryStep(location: node.span.location, action: action, failures: failures)
    }

    private mutating func action(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedDiscoveryStep.Action? {
        if let call = node["call"] { return self.call(call, into: &diagnostics).map { .call($0) } }
        if let rounds = node["rounds"] { return self.rounds(rounds, into: &diagnostics).map { .rounds($0) } }
        if let key = node["key"] { return self.key(key, into: &diagnostics).map { .key($0) } }
        if let request = node["certificate-request"] { return certificateRequest(request, into: &diagnostics) }
        guard let identity = node["identity"] else { return nil }
        return list(identity, mustRefer: true, into: &diagnostics).map { .identity($0) }
    }

    private mutating func checkOrder(of node: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        let hasRequest = templates.slots.contains(.certificateRequest)
        let needs: [(key: String, isMet: Bool, complaint: String)] = [
            ("rounds", hasAnswer, "'rounds' need a 'call' before them, whose answer asks for something"),
            ("key", !hasRequest, "a 'key' after the 'certificate-request' is not the one that the certificate is for"),
            ("certificate-request", hasKey, "'certificate-request' needs a 'key' before it"),
            ("identity", hasRequest, "'identity' needs a 'certificate-request' before it: no certificate is signed without one"),
        ]
        for need in needs where !need.isMet {
            guard let entry = node.entry(need.key) else { continue }
            diagnostics.report(.misplacedKey, need.complaint, at: entry.keySpan)
        }
        hasAnswer = hasAnswer || node["call"] != nil || node["rounds"] != nil
        hasKey = hasKey || node["key"] != nil
    }

    // MARK: Actions

    private mutating func call(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedCall? {
        guard let method = ResolvedProgram.Call.Method.allCases.first(where: { node[$0.key] != nil }) else { return nil }
        let url = node[method.key].flatMap { templates.read($0, into: &diagnostics) }
        url?.checkURL(allowsHTTP: false, into: &diagnostics)
        let body = body(node, into: &diagnostics)
        let statuses = node["status"] == nil ? [200] : node.statuses(into: &diagnostics)
        let captures = captures(node["capture"], into: &diagnostics)
        guard let url, let body, let captures, !statuses.isEmpty else { return nil }
        return ResolvedCall(
            method: method, url: url.resolved, body: body, statuses: statuses, captures: captures, message: node.text("message"))
    }

    private func body(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedCall.Body? {
        let given = ["json", "form", "body"].compactMap { node.entry($0) }
        if let other = given.dropFirst().first {
            diagnostics.report(
                .notExactlyOne, "a request has one body", at: other.keySpan,
                notes: [Diagnostic.Note("the other one", at: given[0].key.location)])
            return nil
        }
        guard let body = given.first else { return .nothing }
        guard body.key.value != "body" else {
            if templates.slots.contains(.certificateRequest) { return .certificateRequest }
            diagnostics.report(
                .misplacedKey, "a certificate request is sent after it was made by 'certificate-request'", at: body.keySpan)
            return nil
        }
        var values: [NamedTemplate] = []
        for entry in body.value.entries {
            guard let value = templates.read(entry.value, into: &diagnostics) else { continue }
            value.checkNamedValue(isHidden: true, into: &diagnostics)
            values.append((entry.key, value.resolved))
        }
        guard values.count == body.value.entries.count else { return nil }
        return body.key.value == "json" ? .json(values) : .form(values)
    }

    private mutating func captures(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedCall.Capture]? {
        let entries = node?.entries ?? []
        for entry in entries where ReservedNames.fields.contains(entry.key.value) {
            diagnostics.report(.reservedName, "a slot cannot be called '\(entry.key.value)'", at: entry.keySpan)
        }
        let captures = entries.compactMap { entry -> ResolvedCall.Capture? in
            guard let pointer = entry.value.text?.value ?? entry.value.text("at") else { return nil }
            return ResolvedCall.Capture(slot: entry.key, pointer: pointer, isOptional: entry.value.flag("optional"))
        }
        templates.slots += captures.map { .texts($0.slot.value) }
        return captures.count == entries.count ? captures : nil
    }

    private mutating func rounds(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedRounds? {
        if let values = node["values"], let name = values.text, let member = node["json"]?.entry(name.value) {
            diagnostics.report(
                .duplicateName, "'json' has a member '\(name.value)' already", at: values.span,
                notes: [Diagnostic.Note("the other one", at: member.key.location)])
        }
        let page = ResolvedRounds.PageKey.allCases.compactMap { key in
            node["page"]?.text(key.rawValue).map { (key: key, text: $0) }
        }
        let limit = node["limit"] == nil ? 10 : node.text("limit", as: .count)?.value.strictInteger
        guard let call = call(node, into: &diagnostics), let limit else { return nil }
        let values = node.text("values")
        switch (call.body, values) {
        case (.json, nil): diagnostics.report(.missingKey, "'rounds' with 'json' need the key 'values'", at: node.span)
        case (.nothing, _), (.certificateRequest, _):
            diagnostics.report(.missingKey, "'rounds' send a 'form' or 'json'", at: node.span)
        case (.json, _?), (.form, _): break
        }
        return ResolvedRounds(
            call: call, values: values, limit: limit, within: node.text("within", as: .duration), page: page)
    }

    private func key(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedKey? {
        if let word = node.text { return ResolvedKey.Kind(rawValue: word.value).map { ResolvedKey(named: nil, otherwise: $0) } }
        guard let otherwise = node.text("otherwise").flatMap(ResolvedKey.Kind.init) else { return nil }
        guard let kind = node["kind"] else { return ResolvedKey(named: nil, otherwise: otherwise) }
        return list(kind, mustRefer: true, into: &diagnostics).map { ResolvedKey(named: $0, otherwise: otherwise) }
    }

    private mutating func certificateRequest(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedDiscoveryStep.Action? {
        // There is a request, even if what goes into it is wrong.
        defer { self.templates.slots += [.certificateRequest, .certificateRequestBase64] }
        var templates: [String: ResolvedTemplate] = [:]
        for key in ["subject", "dns", "email"] {
            guard let value = node[key] else { continue }
            guard let template = list(value, into: &diagnostics) else { return nil }
            templates[key] = template
        }
        return .certificateRequest(subject: templates["subject"], dns: templates["dns"], email: templates["email"])
    }

    /// A text, or a reference to a list of texts, alone: nothing is escaped for a place within another text.
    private func list(
        _ node: DocumentNode, mustRefer: Bool = false, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedTemplate? {
        guard let template = templates.read(node, into: &diagnostics) else { return nil }
        // Both end in a certificate, which is not secret.
        template.checkNamedValue(isHidden: false, into: &diagnostics)
        if template.loneReference == nil, mustRefer || template.literal == nil {
            diagnostics.report(
                .wrongType, mustRefer ? "a reference stands here, alone" : "a text stands here, or a reference alone", at: node.span
            )
        }
        return template.resolved
    }

    // MARK: Failures

    /// What each step can fail with.
    private static let failures: [String: Set<DiscoveryFailure>] = [
        "call": [.status, .network, .missing],
        "rounds": [.status, .network, .missing, .refused, .late, .endless],
        "key": [.key],
        "certificate-request": [.name, .key],
        "identity": [.certificate, .mismatch],
    ]

    private func failures(
        _ node: DocumentNode?, of kind: String, into diagnostics: inout DiagnosticCollector
    ) -> [(failure: DiscoveryFailure, errorCase: Located<String>)]? {
        let entries = node?.entries ?? []
        var failures: [(failure: DiscoveryFailure, errorCase: Located<String>)] = []
        for entry in entries {
            // A word that no step knows has been reported as such.
            guard let failure = DiscoveryFailure(rawValue: entry.key.value), let name = entry.value.text else { continue }
            guard Self.failures[kind]?.contains(failure) == true else {
                diagnostics.report(.misplacedKey, "this '\(kind)' cannot fail with '\(failure.rawValue)'", at: entry.keySpan)
                continue
            }
            errors?.check(name, at: entry.value.span, for: .some(of: failure.cargo), into: &diagnostics)
            failures.append((failure, name))
        }
        return failures.count == entries.count ? failures : nil
    }
}

extension DiscoveryFailure {
    /// What a case can carry that is raised for it.
    fileprivate var cargo: [ResolvedErrorCase.CarriedType] {
        switch self {
        case .status: [.statusCode, .string]
        case .network, .refused: [.error]
        case .missing, .name, .certificate, .mismatch: [.string]
        case .late, .endless, .key: []
        }
    }
}
