/// Reads the document of a method of version 2, part by part: what a part can refer to has been read before it.
struct ProgramReader {
    private let root: DocumentNode
    private var scope = ProgramScope()

    /// - Returns: `nil` if something in it cannot be read; that is reported.
    static func read(
        _ document: LandscapeDocuments.Method, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram? {
        var reader = ProgramReader(root: document.root)
        return reader.read(stem: document.stem, into: &diagnostics)
    }

    private init(root: DocumentNode) { self.root = root }

    private mutating func read(stem: String, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram? {
        let parameters = readParameters(into: &diagnostics)
        for capture in ProgramChallengeReader.captures(of: root["challenge"]) {
            scope.add(capture.name, .challenge, type: capture.type, absence: capture.absence)
        }
        let eager = root["credential"]?.entry("eager").flatMap { $0.value.text?.value == "true" ? $0 : nil }
        if eager == nil, root["challenge"]?.items.isEmpty != false { scope.incomplete.insert(.challenge) }
        let challenges =
            eager != nil && root["challenge"] == nil
            ? [] : ProgramChallengeReader(scope: scope).read(root["challenge"], into: &diagnostics)
        var credentials = ProgramCredentialReader(scope: scope)
        var credential = credentials.read(root["credential"], into: &diagnostics)
        var steps = ProgramStepReader(.acquire, scope: credentials.scope, fields: credentials.parts)
        let acquire = steps.read(root["acquire"], into: &diagnostics)
        let expiry = root["credential"]?["expires"]
        credential?.lifetime = ProgramCredentialReader.lifetime(expiry, steps.scope, into: &diagnostics)
        var last = steps.scope
        let renewal = renewal(of: credentials.parts, after: credentials.scope.paths, &last, into: &diagnostics)
        var lastSteps = ProgramStepReader(
            .end, scope: last.withCredential(from: credentials.scope.paths, steps.scope.paths), fields: [])
        let end = lastSteps.read(root["end"], into: &diagnostics)
        let attach = attach(in: steps.scope, answering: challenges, into: &diagnostics)
        let rejections = ProgramRejectionReader(challenges: challenges, fields: credentials.parts, renews: root["renew"] != nil)
            .read(root["rejected"], into: &diagnostics)
        checkRenewal(expires: expiry != nil, into: &diagnostics)
        if let eager { check(eager, into: &diagnostics) }
        guard let name = root.text("method", as: .typeName), let parameters, let challenges, let credential, let acquire,
            let attach, let rejections, let end, renewal != nil || root["renew"] == nil, expiry == nil || credential.lifetime != nil
        else { return nil }
        return ResolvedProgram(
            name: name, stem: stem, documentation: root.documentation, title: root.text("title")?.trimmed,
            parameters: parameters, slots: Self.slots(of: lastSteps.scope, credential), challenges: challenges,
            credential: credential, acquire: acquire, renewal: renewal, attach: attach, rejections: rejections, end: end)
    }

    /// Reads the steps from one credential to the next.
    ///
    /// - Parameters:
    ///   - start: The ways before the steps to the first.
    ///   - scope: The values after them; gets those of these steps.
    /// - Returns: `nil` if it cannot be read, or there is none.
    private func renewal(
        of fields: [ProgramCredentialReader.Field], after start: ProgramPaths, _ scope: inout ProgramScope,
        into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Renewal? {
        guard let entry = root.entry("renew") else { return nil }
        var renewing = scope.withCredential(from: start, scope.paths)
        let needs = renewing.require(Set(entry.value.references.filter { !$0.hasSuffix("?") }))
        var reader = ProgramStepReader(.renew, scope: renewing, fields: fields)
        let steps = reader.read(entry.value, into: &diagnostics)
        scope = reader.scope
        guard let steps else { return nil }
        let slots = Set(fields.compactMap { scope.slot(of: $0.entry.key.value, .credential) })
        let hasCookies = scope.cookies != nil
        if !hasCookies, slots.isDisjoint(with: steps.compactMap(\.call).flatMap(\.templates).flatMap(\.slots)) {
            diagnostics.report(
                .neverRenews,
                "no request here sends anything of the credential, so that this is a new login; name a field of it, such as \"{credential.refreshToken}\"",
                at: entry.keySpan)
        }
        if !hasCookies, slots.isDisjoint(with: steps.compactMap(\.call).flatMap(\.answers).flatMap(\.pattern.captures).map(\.slot))
        {
            diagnostics.report(
                .neverRenews, "no answer here fills a field of the credential, so that it stays as it was; capture one",
                at: entry.keySpan)
        }
        if !steps.compactMap(\.call).flatMap(\.answers).contains(where: \.isRefusal) {
            diagnostics.report(
                .neverRenews,
                "a credential that is over would be sent to be renewed for ever; write the answer by which the server says so, with 'error: server'",
                at: entry.keySpan)
        }
        return ResolvedProgram.Renewal(needs: needs, steps: steps)
    }

    /// Something has to lead to the renewal.
    private func checkRenewal(expires: Bool, into diagnostics: inout DiagnosticCollector) {
        guard let entry = root.entry("renew"), !expires else { return }
        let words = (root["rejected"]?.items ?? []).flatMap { $0["then"]?.items ?? [] }.compactMap { $0.text?.value }
        guard !words.contains("renew") else { return }
        diagnostics.report(
            .unreachableStep,
            "nothing leads here: the credential has no 'expires', and no rule under 'rejected' says 'renew'", at: entry.keySpan)
    }

    /// What is in the first request comes from no challenge.
    private func check(_ eager: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) {
        let note = [Diagnostic.Note("it is in the first request already", at: eager.key.location)]
        for challenge in root["challenge"]?.items ?? [] {
            guard let capture = challenge.entry("capture") else { continue }
            diagnostics.report(
                .misplacedKey, "nothing of a credential with 'eager' comes from a challenge; take 'capture' away",
                at: capture.keySpan, notes: note)
        }
        for digest in (root["attach"]?.items ?? []).compactMap({ $0["sign"]?.entry("digest") }) {
            diagnostics.report(
                .signatureWithoutChallenge, "'digest' answers challenges, and a credential with 'eager' has none to answer",
                at: digest.keySpan, notes: note)
        }
        guard root["challenge"] == nil, let rejected = root.entry("rejected") else { return }
        diagnostics.report(
            .unreachableStep, "nothing leads here without a 'challenge', by which a server refuses the credential",
            at: rejected.keySpan)
    }

    /// - Returns: `nil` if it cannot be read, or is missing; that is reported.
    private func attach(
        in scope: ProgramScope, answering challenges: [ResolvedProgram.Challenge]?, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Placement]? {
        if let node = root["attach"] {
            return ProgramPlacementReader(scope: scope, challenges: challenges).read(node, into: &diagnostics)
        }
        guard root["credential"]?["cookies"] == nil else { return [] }
        if let credential = root.entry("credential"), credential.value["fields"] != nil {
            diagnostics.report(
                .missingKey, "nothing of the credential is in a request; write with 'attach' where it goes", at: credential.keySpan)
        }
        return nil
    }

    /// - Returns: `nil` if one of them cannot be read.
    private mutating func readParameters(into diagnostics: inout DiagnosticCollector) -> [ResolvedField]? {
        if let node = root["parameters"], node.entries.isEmpty { scope.incomplete.insert(.parameter) }
        let entries = root["parameters"]?.entries ?? []
        let fields = entries.map { entry in
            let (resolved, field) = ParametersReader.read(field: entry, into: &diagnostics)
            checkParameter(field, entry, into: &diagnostics)
            scope.add(
                entry.key, .parameter, type: field.type.flatMap { ProgramType($0) },
                absence: field.isOptional ? Diagnostic.Note("it is optional here", at: entry.key.location) : nil)
            return resolved
        }
        let whole = fields.compactMap(\.self)
        return whole.count == fields.count ? whole : nil
    }

    /// What version 2 has beyond the checks of all fields.
    private func checkParameter(
        _ field: FieldScope.Field, _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) {
        if entry.key.value == "hashValue" {
            diagnostics.report(.reservedName, "a parameter cannot be called 'hashValue'", at: entry.keySpan)
        }
        guard field.type == .origins else { return }
        for key in ["default", "optional"] {
            guard let entry = entry.value.entry(key) else { continue }
            diagnostics.report(
                .misplacedKey, "'\(key)' is not for 'origins': which servers there are is the application's to say",
                at: entry.keySpan)
        }
    }

    /// All slots. What a challenge says is a secret where a secret is filled with it.
    private static func slots(
        of scope: ProgramScope, _ credential: ResolvedProgram.Credential
    ) -> [ResolvedProgram.Slot] {
        let named = scope.values.compactMap { value in value.declaration.map { (name: $0, value: value) } }
        let secrets = credential.fields.filter { named[$0.slot].value.type == .secret }
        let carriers = Set(secrets.flatMap { $0.value?.slots ?? [] })
        return named.enumerated().map { slot, named in
            let source: ResolvedProgram.Slot.Source =
                switch named.value.kind {
                case .parameter, .request: .parameter
                case .challenge: .challenge
                case .credential: .credential
                case .step: .step
                }
            return ResolvedProgram.Slot(
                name: named.name, source: source,
                isSecret: named.value.type == .secret || named.value.type == .cookies
                    || source == .challenge && carriers.contains(slot))
        }
    }
}
