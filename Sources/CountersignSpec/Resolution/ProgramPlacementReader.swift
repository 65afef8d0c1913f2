/// Reads the placement of a credential in requests.
struct ProgramPlacementReader {
    let scope: ProgramScope
    /// The challenges that the credential answers; `nil` if they cannot be read.
    let challenges: [ResolvedProgram.Challenge]?
    /// Whether the credential consists of the system's tickets.
    var isOfSystem = false

    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Placement]? {
        guard let items = node?.items, !items.isEmpty else { return nil }
        let reader = ProgramFieldReader(scope: scope, kinds: [.credential, .parameter], canBeNamedByCredential: true)
        var names = UniqueNames()
        var parameters = UniqueNames(ignoringCase: false)
        var members = UniqueNames(ignoringCase: false)
        var body: DocumentNode.Entry?
        var signature: DocumentNode.Entry?
        var placements: [ResolvedProgram.Placement?] = []
        for item in items {
            let methods = methods(of: item, into: &diagnostics)
            if let sign = item.entry("sign") {
                checkOnly(sign, after: signature, into: &diagnostics)
                signature = sign
                placements.append(self.signature(sign.value, by: reader, into: &diagnostics))
            }
            if let identity = item.entry("identity"), isOfSystem {
                diagnostics.report(
                    .misplacedKey, "connections with tickets have no client certificate; remove 'identity'",
                    at: identity.keySpan)
            }
            if let identity = item["identity"] { placements.append(self.identity(identity, into: &diagnostics)) }
            for entry in item["headers"]?.entries ?? [] {
                names.check(
                    entry, "the header field '\(entry.key.value)' is already attached; names are case-insensitive",
                    into: &diagnostics)
            }
            for entry in item["query"]?.entries ?? [] {
                parameters.check(entry, "the query parameter '\(entry.key.value)' is already attached", into: &diagnostics)
                guard !computesQuery(item) else { continue }
                let parameter = field(entry, of: item, into: &diagnostics)
                placements.append(parameter.map { .query($0.name, $0.value, methods: methods) })
            }
            for part in [item.entry("json"), item.entry("form")].compactMap(\.self) {
                if let body, body.key.value != part.key.value {
                    diagnostics.report(
                        .notExactlyOne, "a body is a JSON object or a form; remove 'json' or 'form'", at: part.keySpan,
                        notes: [Diagnostic.Note("the other one", at: body.key.location)])
                }
                body = part
                for entry in part.value.entries {
                    members.check(entry, "the member '\(entry.key.value)' is already attached", into: &diagnostics)
                    placements.append(member(entry, isForm: part.key.value == "form", of: item, into: &diagnostics))
                }
            }
            if let compute = item.entry("generate") ?? item.entry("compute") {
                checkOnly(compute, after: signature, into: &diagnostics)
                signature = compute
                placements.append(computed(item, into: &diagnostics))
            } else {
                for entry in item["headers"]?.entries ?? [] {
                    placements.append(reader.field(entry, into: &diagnostics).map { .header($0.name, $0.value, methods: methods) })
                }
            }
        }
        ProgramFieldReader.check(
            items.flatMap { $0["headers"]?.entries ?? [] }, withoutThoseOf: signature?.key.value == "sign" ? signature : nil,
            into: &diagnostics)
        let whole = placements.compactMap(\.self)
        return whole.isEmpty || whole.count < placements.count ? nil : whole
    }

    /// Returns the HTTP methods of the requests that an item is for; empty for all requests.
    private func methods(of item: DocumentNode, into diagnostics: inout DiagnosticCollector) -> [String] {
        guard let limit = item.entry("methods") else { return [] }
        for key in ["generate", "compute", "json", "form"] {
            guard let other = item.entry(key) else { continue }
            diagnostics.report(
                .misplacedKey, "'methods' is only for header fields and query parameters; write '\(key)' in an item without it",
                at: limit.keySpan, notes: [Diagnostic.Note("'\(key)'", at: other.key.location)])
        }
        var methods: [String] = []
        for node in limit.value.items {
            guard let name = node.text?.value else { continue }
            if methods.contains(name) { diagnostics.report(.duplicateName, "'\(name)' is listed twice", at: node.span) }
            methods.append(name)
        }
        return methods
    }

    /// Reports a second signature of a request.
    private func checkOnly(
        _ signature: DocumentNode.Entry, after other: DocumentNode.Entry?, into diagnostics: inout DiagnosticCollector
    ) {
        guard let other else { return }
        diagnostics.report(
            .notExactlyOne, "a request has only one signature; remove this one, or write another method", at: signature.keySpan,
            notes: [Diagnostic.Note("the other one", at: other.key.location)])
    }

    /// Reads the value of `sign`.
    private func signature(
        _ sign: DocumentNode, by reader: ProgramFieldReader, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Placement? {
        let digest = sign.entry("digest")
        let negotiation = sign.entry("negotiate")
        for scheme in [digest, negotiation].compactMap(\.self) { checkChallenges(of: scheme, into: &diagnostics) }
        if let negotiation { return self.negotiation(negotiation, into: &diagnostics).map { .negotiate($0) } }
        if let signature = sign["aws-sigv4"] {
            return reader.signatureVersion4(signature, into: &diagnostics).map { .signature($0) }
        }
        if let proof = sign.entry("dpop") {
            if proof.value["token"] == nil {
                diagnostics.report(
                    .missingKey, "a proof for an access token includes its hash; add the key 'token' to 'dpop'", at: proof.keySpan)
            }
            return reader.proof(proof.value, into: &diagnostics).map { .proof($0) }
        }
        if let signature = sign["http-message"] {
            return reader.messageSignature(signature, into: &diagnostics).map { .messageSignature($0) }
        }
        return reader.login(sign, into: &diagnostics).map { login in
            digest != nil
                ? .digest(user: login.user, password: login.password) : .basic(user: login.user, password: login.password)
        }
    }

    /// Whether parameters of an item's query have values that are computed. Then all of them are added with these values, in the
    /// order of the file.
    private func computesQuery(_ item: DocumentNode) -> Bool {
        let names = ((item["generate"]?.entries ?? []) + (item["compute"]?.entries ?? [])).map(\.key.value)
        return !Set(names).isDisjoint(with: (item["query"]?.references ?? []).map(\.withoutAbsenceMark))
    }

    /// Reads header fields and query parameters with values that are computed anew for each request.
    private func computed(
        _ item: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Placement? {
        var scope = scope.signing()
        var functions: [ResolvedProgram.Function?] = []
        var used: Set<Int> = []
        var entries: [DocumentNode.Entry] = []
        for entry in item["generate"]?.entries ?? [] {
            attach(entry, type: .string, to: &scope, into: &diagnostics)
            functions.append(.random)
            entries.append(entry)
        }
        for entry in item["compute"]?.entries ?? [] {
            let reader = ProgramFunctionReader(scope: scope)
            let function = reader.read(entry.value, into: &diagnostics)
            attach(entry, type: reader.type(of: entry.value), to: &scope, into: &diagnostics)
            used.formUnion(function?.templates.flatMap(\.computed) ?? [])
            functions.append(function)
            entries.append(entry)
        }
        // These cannot refer to parts of the request, only to values that were computed from them.
        let reader = ProgramFieldReader(scope: scope, kinds: [.parameter, .credential, .attached])
        let fields = item["headers"]?.entries ?? []
        let headers = fields.compactMap { reader.field($0, into: &diagnostics) }
        let parameters = computesQuery(item) ? item["query"]?.entries ?? [] : []
        let query = parameters.compactMap { field($0, in: scope, by: reader, into: &diagnostics) }
        let whole = functions.compactMap(\.self)
        guard whole.count == functions.count, headers.count == fields.count, query.count == parameters.count else { return nil }
        used.formUnion((headers + query).flatMap { $0.value.computed })
        // A reference in the body is reported there.
        let others = ["json", "form"].compactMap { item[$0] }
        let misplaced = Set(others.flatMap(\.references).map(\.withoutAbsenceMark))
        for (number, entry) in entries.enumerated() where !used.contains(number) && !misplaced.contains(entry.key.value) {
            diagnostics.report(
                .unusedCapture,
                "'\(entry.key.value)' is computed but not used; refer to it in a header field or a parameter of the query",
                at: entry.keySpan)
        }
        return .computed(whole, headers: headers, query: query)
    }

    /// Reads a member of the body, which cannot depend on signatures either.
    private func member(
        _ entry: DocumentNode.Entry, isForm: Bool, of item: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Placement? {
        if isForm { return field(entry, of: item, into: &diagnostics).map { .form($0.name, $0.value) } }
        var scope = unsigned(item)
        scope.kindsInSteps = [.credential, .parameter]
        guard TextForm.formName.accepts(entry.key.value) else { return nil }
        let reader = ProgramJSONReader(scope: scope, refusal: nil)
        let name = reader.name(of: entry, into: &diagnostics)
        let value = reader.read(entry.value, into: &diagnostics)
        guard let name, let value else { return nil }
        return .json(name, value)
    }

    /// Reads a name and a text of the query or of a form.
    private func field(
        _ entry: DocumentNode.Entry, of item: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Member? {
        let scope = unsigned(item)
        return field(entry, in: scope, by: ProgramFieldReader(scope: scope, kinds: [.credential, .parameter]), into: &diagnostics)
    }

    private func field(
        _ entry: DocumentNode.Entry, in scope: ProgramScope, by reader: ProgramFieldReader,
        into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Member? {
        let name = ProgramCallReader(scope: scope).name(of: entry, into: &diagnostics)
        let value = reader.template(entry.value, into: &diagnostics)
        guard TextForm.formName.accepts(entry.key.value), let name, let value else { return nil }
        return ResolvedProgram.Member(name: name, value: value.resolved)
    }

    /// Returns the scope with the names of computed values, so that a reference to one is not reported as unknown.
    private func unsigned(_ item: DocumentNode) -> ProgramScope {
        var scope = scope
        for computed in (item["generate"]?.entries ?? []) + (item["compute"]?.entries ?? []) {
            _ = scope.attach(computed.key, type: .string)
        }
        return scope
    }

    private func attach(
        _ entry: DocumentNode.Entry, type: ProgramType?, to scope: inout ProgramScope, into diagnostics: inout DiagnosticCollector
    ) {
        guard !scope.attach(entry.key, type: type) else { return }
        diagnostics.report(
            .duplicateName, "there is already a value '\(entry.key.value)'; use another name", at: entry.keySpan)
    }

    /// Reads the client identity for TLS connections.
    private func identity(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Placement? {
        guard let template = ProgramTemplateReader(scope: scope, kinds: [.credential]).read(node, into: &diagnostics) else {
            return nil
        }
        let slot = template.slot(
            orReport:
                "'identity' must be a whole reference to a field of the credential of type 'identity', such as \"{credential.identity}\"",
            into: &diagnostics
        ) { $0.type == .identity }
        return slot.map { .connection($0) }
    }

    /// Reads the Negotiate scheme, which uses the system's tickets.
    private func negotiation(
        _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Negotiation? {
        let node = entry.value
        if !isOfSystem {
            diagnostics.report(
                .missingKey, "'negotiate' uses the tickets of the system; write 'tickets: system' under 'credential'",
                at: entry.keySpan)
        }
        let reader = ProgramFieldReader(scope: scope, kinds: [.parameter], canBeSecret: false)
        let service = node["service"].flatMap { reader.template($0, into: &diagnostics) }
        let principal = node["principal"].flatMap { reader.template($0, into: &diagnostics) }
        let bound = node.entry("bound").flatMap { flag($0, into: &diagnostics) }
        let anyMechanism = node.entry("any-mechanism").flatMap { flag($0, into: &diagnostics) }
        guard service != nil || node["service"] == nil, principal != nil || node["principal"] == nil,
            bound != nil || node["bound"] == nil, anyMechanism != nil || node["any-mechanism"] == nil
        else { return nil }
        return ResolvedProgram.Negotiation(
            service: service?.resolved, principal: principal?.resolved, bound: bound, anyMechanism: anyMechanism)
    }

    /// Returns the slot of a Boolean parameter in a whole reference.
    private func flag(_ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) -> Int? {
        guard let template = ProgramTemplateReader(scope: scope, kinds: [.parameter]).read(entry.value, into: &diagnostics) else {
            return nil
        }
        return template.slot(
            orReport: "'\(entry.key.value)' must be a whole reference to a parameter of type 'boolean'", into: &diagnostics
        ) { $0.type == .boolean }
    }

    /// Reports challenges without the scheme: a Digest response needs the nonce of its challenge, and Negotiate is requested by
    /// its name.
    private func checkChallenges(of scheme: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) {
        let name = scheme.key.value
        for challenge in challenges ?? [] where !challenge.schemes.contains(where: { $0.name.lowercased() == name }) {
            diagnostics.report(
                .signatureWithoutChallenge,
                "'\(name)' answers challenges with its scheme, which '\(challenge.name.value)' lacks; write 'www-authenticate: \(name == "digest" ? "Digest" : "Negotiate")' there",
                at: scheme.keySpan)
        }
    }
}
