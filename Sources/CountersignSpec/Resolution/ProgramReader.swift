/// Reads the document of a method, part by part. A part can refer only to parts that were read before it.
struct ProgramReader {
    let root: DocumentNode
    private var scope = ProgramScope()
    /// The method's error types; `nil` if they cannot be read.
    private let errorTypes: [ResolvedErrorType]?
    let errors: ErrorScope

    /// Whether the method is read with one of several ways to its credential, which have their own parameters.
    private let isVariant: Bool
    /// The sources of inherited values.
    private let provenance: Provenance

    /// - Parameters:
    ///   - isVariant: Whether this is one of several ways to the credential, with its own parameters.
    ///   - provenance: The sources of inherited values.
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    static func read(
        _ document: LandscapeDocuments.Method, asVariant isVariant: Bool = false, _ provenance: Provenance,
        into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram? {
        var reader = ProgramReader(root: document.root, isVariant: isVariant, provenance, into: &diagnostics)
        return reader.read(stem: document.stem, into: &diagnostics)
    }

    private init(
        root: DocumentNode, isVariant: Bool, _ provenance: Provenance, into diagnostics: inout DiagnosticCollector
    ) {
        self.root = root
        self.isVariant = isVariant
        self.provenance = provenance
        (errorTypes, errors) = ErrorTypeReader.read(of: root, into: &diagnostics)
    }

    private mutating func read(stem: String, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram? {
        let parameters = readParameters(into: &diagnostics)
        for capture in ProgramChallengeReader.captures(of: root["challenge"]) {
            scope.add(capture.name, .challenge, type: capture.type, absence: capture.absence)
        }
        scope.challenges = root.entry("challenge")?.key.location
        let eager = root["credential"]?.entry("eager").flatMap { $0.value.text?.value == "true" ? $0 : nil }
        let isEnrolment = root.isEnrolment
        if eager == nil, !isEnrolment, root["challenge"]?.items.isEmpty != false { scope.incomplete.insert(.challenge) }
        let challenges = challenges(isOptional: eager != nil || isEnrolment, into: &diagnostics)
        let announcements = announcements(into: &diagnostics)
        var credentials = ProgramCredentialReader(scope: scope)
        var credential = credentials.read(root["credential"], into: &diagnostics)
        var begun = credentials.scope
        addCredentialBefore(of: credentials.parts, to: &begun)
        if let eager {
            begun.makeOptional(
                .challenge, Diagnostic.Note("the steps run before there is a challenge", at: eager.key.location))
        }
        var steps = ProgramStepReader(
            .acquire, scope: begun, fields: credentials.parts, errors: errors, client: root.entry("client"),
            documents: root["documents"])
        let acquire = steps.read(root["acquire"], into: &diagnostics)
        let expiry = credentials.scope.hasToken ? nil : root["credential"]?["expires"]
        let lifetime = ProgramCredentialReader.lifetime(expiry, steps.scope, into: &diagnostics)
        switch lifetime {
        case .slot(let slot)?: credential?.lifetime = slot
        case .milliseconds(let time)?: credential?.fixedLifetime = time
        case nil: break
        }
        let recipients = ProgramCredentialReader.recipients(in: root["credential"], steps.scope, into: &diagnostics)
        credential?.recipients = recipients ?? []
        credential?.noteOptionalFields(after: steps.scope)
        var last = steps.scope
        let renewal = renewal(of: credentials.parts, after: credentials.scope.paths, &last, into: &diagnostics)
        var lastSteps = ProgramStepReader(
            .end, scope: last.withCredential(from: credentials.scope.paths, steps.scope.paths), fields: [], errors: errors,
            documents: root["documents"])
        let end = lastSteps.read(root["end"], into: &diagnostics)
        let attach = attach(
            in: steps.scope.forgettingAnswers(to: acquire ?? []), answering: challenges, into: &diagnostics)
        let rejections = ProgramRejectionReader(
            challenges: challenges, place: scope.challenges, fields: credentials.parts, renews: root["renew"] != nil,
            errors: errors
        )
        .read(root["rejected"], into: &diagnostics)
        let updates = ProgramUpdateReader(scope: steps.scope, fields: credentials.parts, attach: root["attach"])
            .read(root["update"], into: &diagnostics)
        checkRenewal(expires: expiry != nil || credentials.scope.hasToken, into: &diagnostics)
        if let eager { check(eager, into: &diagnostics) }
        if isEnrolment { checkEnrolment(into: &diagnostics) }
        checkTickets(into: &diagnostics)
        checkSpaceOfOneRequest(into: &diagnostics)
        checkConnections(into: &diagnostics)
        if !isVariant {
            let steps = ["acquire", "renew", "end"].compactMap { root[$0] }
            ProgramDocumentReader.checkUse(of: root["documents"], by: steps, provenance, into: &diagnostics)
        }
        let failures = failures(of: acquire ?? [], steps.failures, into: &diagnostics)
        guard let name = root.text("method", as: .typeName), let parameters, let announcements, let challenges, var credential,
            let acquire,
            let attach, let updates, let rejections, let end, renewal != nil || root["renew"] == nil,
            expiry == nil || lifetime != nil, recipients != nil,
            let errorTypes
        else { return nil }
        let slots = slots(of: lastSteps.scope, credential)
        if credential.token != nil {
            credential.token = ResolvedProgram.Token(
                access: lastSteps.scope.slot(of: "access_token", .credential),
                refresh: lastSteps.scope.slot(of: "refresh_token", .credential))
        }
        return ResolvedProgram(
            name: name, stem: stem, documentation: root.documentation, title: root.text("title")?.trimmed,
            parameters: parameters, slots: slots, announcements: announcements, challenges: challenges,
            credential: credential, acquire: acquire, renewal: renewal, attach: attach, updates: updates, rejections: rejections,
            end: end, errors: errorTypes, failures: failures)
    }

    /// Adds the fields of the previous credential, which a server has refused or which has expired. Steps refer to them as `{before.field?}`.
    private func addCredentialBefore(of fields: [ProgramCredentialReader.Field], to scope: inout ProgramScope) {
        let names = Set(root["acquire"]?.names ?? [])
        for field in fields where names.contains("before.\(field.entry.key.value)") {
            let key = field.entry.key
            scope.add(
                Located("before.\(key.value)", at: key.location), .step, type: field.type,
                absence: Diagnostic.Note("there may have been no credential before", at: key.location))
        }
    }

    /// Reads the header fields by which requests announce the client's capabilities.
    ///
    /// - Returns: `nil` if one of the fields is wrong, which is reported.
    private func announcements(into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Member]? {
        let entries = root["announce"]?.entries ?? []
        let reader = ProgramFieldReader(scope: scope, kinds: [.parameter], canBeSecret: false)
        var names = UniqueNames()
        let attached = (root["attach"]?.items ?? []).flatMap { $0["headers"]?.entries ?? [] }
        let fields = entries.compactMap { entry -> ResolvedProgram.Member? in
            names.check(
                entry, "the header field '\(entry.key.value)' is already listed; names are case-insensitive", into: &diagnostics)
            ProgramFieldReader.check(
                attached, without: entry.key.value.lowercased(), by: root.entry("announce"), into: &diagnostics)
            if ["authorization", "cookie"].contains(entry.key.value.lowercased()) {
                diagnostics.report(
                    .misplacedKey, "'\(entry.key.value)' is for credentials; write it under 'attach'", at: entry.keySpan)
            }
            return reader.field(entry, into: &diagnostics)
        }
        return fields.count == entries.count ? fields : nil
    }

    /// Reads the challenges. In a method with variants they cannot refer to parameters, since each variant has its own.
    ///
    /// - Returns: `nil` if one of the challenges cannot be read, or a required one is missing, which is reported.
    private func challenges(
        isOptional: Bool, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Challenge]? {
        if isOptional, root["challenge"] == nil { return [] }
        var scope = scope
        if isVariant { scope.kindsInPatterns = [] }
        return ProgramChallengeReader(scope: scope).read(root["challenge"], into: &diagnostics)
    }

    /// Returns the error cases for failures of any step: those of the method, and those that its steps name.
    private func failures(
        of steps: [ResolvedProgram.Step], _ prompts: [(failure: ResolvedProgram.Failure, errorCase: Located<String>)],
        into diagnostics: inout DiagnosticCollector
    ) -> [(failure: ResolvedProgram.Failure, errorCase: Located<String>)] {
        let words = ResolvedProgram.Failure.allCases.map { ($0.word, $0) }
        var named = errors.cases(named: root["failures"], words: words, of: "method", isKnown: { _ in false }, into: &diagnostics) {
            failure in
            switch failure {
            case .invalidArgument: .detail
            case .unusable, .missing: .some(of: [.string])
            case .cancelled, .busy: .nothing
            }
        }
        let pages = steps.flatMap(\.all).compactMap { step in
            if case .present(let page) = step.action { page } else { nil }
        }
        let dismissal = pages.lazy.flatMap(\.failures).first { $0.failure == .dismissed }
        for (failure, errorCase) in prompts + [dismissal.map { (failure: .cancelled, errorCase: $0.errorCase) }].compactMap(\.self)
        where !named.contains(where: { $0.failure == failure }) {
            named.append((failure, errorCase))
        }
        return ResolvedProgram.Failure.allCases.compactMap { failure in named.first { $0.failure == failure } }
    }

    /// - Returns: `nil` if the placement cannot be read, or is missing, which is reported.
    private func attach(
        in scope: ProgramScope, answering challenges: [ResolvedProgram.Challenge]?, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Placement]? {
        if let node = root["attach"], root["credential"]?["token"] == nil {
            return ProgramPlacementReader(
                scope: scope, challenges: challenges, isOfSystem: root["credential"]?["tickets"] != nil
            ).read(node, into: &diagnostics)
        }
        if let token = root["credential"]?.entry("token"), let attach = root.entry("attach") {
            diagnostics.report(
                .misplacedKey, "a token is always sent in the 'Authorization' field (RFC 6750); remove 'attach'",
                at: attach.keySpan,
                notes: [Diagnostic.Note("the token", at: token.key.location)])
        }
        guard root["credential"]?["cookies"] == nil, root["credential"]?["token"] == nil, !scope.isEnrolment else { return [] }
        if let credential = root.entry("credential"), credential.value["fields"] != nil || credential.value["tickets"] != nil {
            diagnostics.report(
                .missingKey, "no request carries the credential; specify its place with 'attach'", at: credential.keySpan)
        }
        return nil
    }

    /// - Returns: `nil` if one of the parameters cannot be read.
    private mutating func readParameters(into diagnostics: inout DiagnosticCollector) -> [ResolvedField]? {
        if let node = root["parameters"], node.entries.isEmpty { scope.incomplete.insert(.parameter) }
        let entries = root["parameters"]?.entries ?? []
        let fields = entries.map { entry in
            let (resolved, field) = ParametersReader.read(field: entry, into: &diagnostics)
            checkParameter(field, entry, into: &diagnostics)
            scope.add(
                entry.key, .parameter, type: field.type.flatMap { ProgramType($0) },
                absence: ParametersReader.absence(of: entry), isChoice: field.type == .choice)
            return resolved
        }
        let whole = fields.compactMap(\.self)
        return whole.count == fields.count ? whole : nil
    }

    /// Checks a parameter beyond the checks of all fields.
    private func checkParameter(
        _ field: FieldScope.Field, _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) {
        if entry.key.value == "hashValue" {
            diagnostics.report(.reservedName, "a parameter cannot be called 'hashValue'", at: entry.keySpan)
        }
        guard field.type == .origins else { return }
        let destinations = (root["credential"]?["for"]?.items ?? []).compactMap { $0.text?.value }
        // Origins can be absent if `requested` replaces them, or if they are not under `for` and only allow additional origins
        // for URLs.
        let isOptional =
            destinations.contains(ProgramCredentialReader.requested)
            || !destinations.contains { $0.hasPrefix("{\(entry.key.value)}") || $0.hasPrefix("{\(entry.key.value)?") }
        for key in isOptional ? ["default"] : ["default", "optional"] {
            guard let entry = entry.value.entry(key) else { continue }
            diagnostics.report(
                .misplacedKey,
                "'\(key)' is not allowed for 'origins'; the application must provide the servers"
                    + (key == "default" ? "; for a server that is always the same, use the type 'url'" : ""),
                at: entry.keySpan)
        }
    }

    /// Returns all slots. A value of a challenge is a secret if a secret is filled with it.
    private func slots(of scope: ProgramScope, _ credential: ResolvedProgram.Credential) -> [ResolvedProgram.Slot] {
        let secrets = credential.fields.filter { field in
            scope.values.contains { $0.slot == field.slot && $0.type == .secret }
        }
        var slots = scope.slots(secretsOfChallenges: Set(secrets.flatMap { $0.value?.slots ?? [] })) { name in
            // A slot without a declared parameter is that of the servers of the steps.
            guard let entry = declaration(of: name), let type = entry.value.fieldType else { return .servers }
            return ResolvedProgram.Filling(by: entry, at: name.location, .parameter(name.value, type))
        }
        for index in slots.indices where slots[index].source == .parameter {
            slots[index].identifies = declaration(of: slots[index].name)?.value.identifies ?? true
        }
        return slots
    }

    /// Returns the declaration of a parameter; `nil` if the name is that of another value.
    private func declaration(of name: Located<String>) -> DocumentNode.Entry? {
        root["parameters"]?.entry(name.value).flatMap { $0.key.location == name.location ? $0 : nil }
    }
}

extension ResolvedProgram.Credential {
    /// Marks the fields that the steps do not always set.
    fileprivate mutating func noteOptionalFields(after scope: ProgramScope) {
        for (index, field) in fields.enumerated() {
            let value = scope.values.first { $0.slot == field.slot }
            fields[index].isOptional = value.flatMap(scope.absence) != nil
        }
    }
}

extension ResolvedProgram.Step {
    /// The templates of a token request; empty for other steps.
    var tokenTemplates: [ResolvedProgram.Template] { if case .token(let call) = action { call.templates } else { [] } }
}
