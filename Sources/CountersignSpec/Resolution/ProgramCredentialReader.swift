/// Reads the parts of a credential, the values that separate credentials, and the servers that may receive them.
struct ProgramCredentialReader {
    /// A field, as far as it could be read.
    struct Field {
        let entry: DocumentNode.Entry
        let type: ProgramType?
        /// The value that `from` gives the field; `nil` if a step must fill it.
        let value: LocatedProgramTemplate?

        var hasValue: Bool { entry.value["from"] != nil }
        /// Whether the field may be absent after the steps, as a result of an operation can.
        var isOptional: Bool { entry.value.flag("optional") }
        /// Whether the field is the access token of a credential that is a token.
        var isToken: Bool { entry.value.text?.value == "oauth2" }
    }

    private(set) var scope: ProgramScope
    private(set) var fields: [Field] = []
    private var cookies: Field?
    /// The access token, if the credential is a token.
    private var token: Field?

    /// The parts of the credential. Steps must fill those without a value.
    var parts: [Field] { fields + [cookies, token].compactMap(\.self) }

    init(scope: ProgramScope) { self.scope = scope }

    /// - Returns: `nil` if something in it cannot be read; that is reported.
    mutating func read(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Credential? {
        guard let node, case .mapping = node.content else {
            scope.incomplete.insert(.credential)
            return nil
        }
        if let word = node["for"]?.items.first(where: { $0.text?.value == Self.application }) {
            scope.isEnrolment = true
            checkEnrolment(node, declaredBy: word, into: &diagnostics)
        }
        checkTickets(node, into: &diagnostics)
        // Keys that cannot be used with a token are reported by `readToken`.
        if node["token"] == nil {
            readFields(node["fields"], isEager: node.flag("eager"), into: &diagnostics)
            readCookies(node.entry("cookies"), into: &diagnostics)
        }
        readToken(node, into: &diagnostics)
        if ["fields", "cookies", "token", "tickets"].allSatisfy({ node[$0] == nil }) {
            scope.incomplete.insert(.credential)
            diagnostics.report(
                .missingKey, "the credential is empty; write 'fields', 'cookies', 'token' or 'tickets'",
                at: node.entries.first?.keySpan ?? node.span)
        }
        if scope.hasSessionCookies { return sessionCookies(node, into: &diagnostics) }
        let separators = separators(node["per"], into: &diagnostics)
        let space = node.text("space").map(ResolvedProgram.Credential.Space.init) ?? .origin
        if space == .directory, let separators, !separators.contains(where: \.namesChallenge) {
            diagnostics.report(
                .spaceWithoutChallenge,
                "all directories of an origin would share one credential; add a value that distinguishes them under 'per', such as a realm",
                at: node.entry("space")?.value.span ?? node.span)
        }
        if space == .servers, let separators, separators.contains(where: { $0.resolved.pieces.contains(.requestOrigin) }) {
            diagnostics.report(
                .contradictorySpace,
                "'per' separates the credentials of the servers, but 'space: servers' has one for all; remove '{request.url.origin}'",
                at: node.entry("space")?.value.span ?? node.span)
        }
        if space == .request { checkSpaceOfOneRequest(node, into: &diagnostics) }
        let destinations = destinations(node["for"], into: &diagnostics)
        let resolved = fields.compactMap { field -> ResolvedProgram.CredentialField? in
            guard field.type != nil, let slot = scope.slot(of: field.entry.key.value, .credential),
                !field.hasValue || field.value != nil
            else { return nil }
            return ResolvedProgram.CredentialField(
                slot: slot, summary: field.entry.value.documentation.summary, value: field.value?.resolved,
                isForStore: field.entry.value.text("place") == "store", kind: field.type.flatMap(Self.kind))
        }
        guard !parts.isEmpty || node["tickets"] != nil, resolved.count == fields.count, let separators, let space, let destinations
        else {
            return nil
        }
        return ResolvedProgram.Credential(
            fields: resolved, separators: separators.map(\.resolved), space: space, destinations: destinations.slots,
            isForRequested: destinations.isForRequested, isForApplication: scope.isEnrolment, isEager: node.flag("eager"),
            cookies: cookies == nil ? nil : scope.cookies, token: token == nil ? nil : ResolvedProgram.Token())
    }

    /// The kind of a field that an application can provide; `nil` for other types.
    private static func kind(of type: ProgramType) -> ResolvedProgram.CredentialField.Kind? {
        switch type {
        case .string: .text
        case .secret: .secret
        case .url: .url
        case .duration: .duration
        default: nil
        }
    }

    /// Reads a credential in the session's own cookies. It is the same for all requests, and the rules for cookies determine its
    /// recipients.
    private func sessionCookies(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Credential {
        for entry in node.entries where entry.key.value != "cookies" {
            diagnostics.report(
                .misplacedKey,
                "'\(entry.key.value)' cannot be used with 'cookies: shared', because the session sends its cookies by the rules for cookies",
                at: entry.keySpan)
        }
        return ResolvedProgram.Credential(fields: [], separators: [], space: .servers, destinations: [], isSessionCookies: true)
    }

    /// Reads an OAuth 2.0 token, whose parts RFC 6749 defines.
    private mutating func readToken(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        guard let entry = node.entry("token") else { return }
        guard entry.value.text?.value == "oauth2" else {
            scope.incomplete.insert(.credential)
            return
        }
        for key in ["fields", "cookies", "expires", "per", "space", "eager"] {
            guard let other = node.entry(key) else { continue }
            diagnostics.report(
                .misplacedKey, "'\(key)' cannot be combined with 'token', for which the standard defines it; remove one of them",
                at: other.keySpan,
                notes: [Diagnostic.Note("the token", at: entry.key.location)])
        }
        func part(_ name: String) -> Field {
            let name = Located(name, at: entry.key.location)
            return Field(
                entry: DocumentNode.Entry(key: name, keySpan: entry.keySpan, keyTextStart: nil, value: entry.value), type: .secret,
                value: nil)
        }
        let access = part("access_token")
        token = access
        scope.hasToken = true
        scope.add(access.entry.key, .credential, type: .secret, isPending: true)
        scope.add(part("refresh_token").entry.key, .credential, type: .secret, isPending: true)
    }

    /// - Parameter isEager: Whether requests carry the credential before any challenge.
    private mutating func readFields(
        _ node: DocumentNode?, isEager: Bool, into diagnostics: inout DiagnosticCollector
    ) {
        let entries = node?.entries ?? []
        if node != nil, entries.isEmpty { scope.incomplete.insert(.credential) }
        let reader = ProgramTemplateReader(scope: scope, kinds: [.challenge, .parameter])
        for entry in entries {
            if ReservedNames.credentialFields.contains(entry.key.value) {
                diagnostics.report(.reservedName, "a field cannot be called '\(entry.key.value)'", at: entry.keySpan)
            }
            let type = ProgramType.named(
                entry.value.text("type"), among: [.string, .secret, .url, .duration, .date, .clock, .identity])
            if type == .identity, let from = entry.value.entry("from") {
                diagnostics.report(
                    .wrongType,
                    "'\(entry.key.value)' is an identity and cannot have 'from'; set it with 'prompt' or 'compute'",
                    at: from.keySpan)
            }
            if type?.isTime == true, let from = entry.value.entry("from") {
                diagnostics.report(
                    .wrongType,
                    "'\(entry.key.value)' is a \(type?.rawValue ?? "") and cannot have 'from'; capture it in an answer of an 'http' step, or compute the 'lifetime' of an identity",
                    at: from.keySpan)
            }
            let value = entry.value["from"].flatMap { reader.read($0, into: &diagnostics) }
            if type == .clock {
                checkClock(value, into: &diagnostics)
            } else {
                value?.checkText(isHidden: type == .secret, into: &diagnostics)
            }
            if type == .secret { value?.checkSecret("'\(entry.key.value)'", into: &diagnostics) }
            // Steps send secrets to the URL, so a text of a server must not become one.
            if type == .url, let value {
                ProgramCallReader(scope: scope).check(value, of: "'\(entry.key.value)'", into: &diagnostics)
            }
            fields.append(Field(entry: entry, type: type, value: value))
        }
        for field in fields {
            scope.add(
                field.entry.key, .credential, type: field.type,
                absence: field.value.flatMap { value in
                    let isOfChallenge = isEager && value.namesChallenge
                    return isOfChallenge
                        ? Diagnostic.Note("requests have the credential before there is a challenge", at: value.span.location)
                        : value.absence(in: scope)
                }, isPending: !field.hasValue)
        }
    }

    /// Reports a clock that is not a captured value of a challenge.
    private func checkClock(_ value: LocatedProgramTemplate?, into diagnostics: inout DiagnosticCollector) {
        guard let value, value.loneReference?.value?.type != .clock else { return }
        diagnostics.report(
            .wrongType, "a 'clock' must be a whole reference to a value that a challenge captures, such as \"{challenge.clock?}\"",
            at: value.loneReference?.span ?? value.span)
    }

    private mutating func readCookies(_ entry: DocumentNode.Entry?, into diagnostics: inout DiagnosticCollector) {
        if entry?.value.text?.value == "shared" { scope.hasSessionCookies = true }
        guard let entry, entry.value.text?.value == "private" else {
            // The meaning of an invalid word is unknown.
            if entry != nil, !scope.hasSessionCookies { scope.incomplete.insert(.credential) }
            return
        }
        cookies = Field(entry: entry, type: .cookies, value: nil)
        if let field = fields.first(where: { $0.entry.key.value == "cookies" }) {
            diagnostics.report(
                .reservedName, "a field cannot be called 'cookies' where a credential has cookies", at: field.entry.keySpan,
                notes: [Diagnostic.Note("the cookies are declared here", at: entry.key.location)])
        } else {
            scope.add(entry.key, .credential, type: .cookies, isPending: true)
        }
    }

    /// - Returns: `nil` if one of them is wrong.
    private func separators(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> [LocatedProgramTemplate]? {
        let items = node?.items ?? []
        let reader = ProgramTemplateReader(scope: scope, kinds: [.request, .challenge, .parameter])
        let templates = items.compactMap { reader.read($0, into: &diagnostics) }
        for template in templates { template.checkText(isHidden: false, into: &diagnostics) }
        return templates.count == items.count ? templates : nil
    }

    /// Reads the lifetime of a credential.
    ///
    /// - Parameter scope: The values after the steps.
    /// - Returns: The slot with the lifetime or expiry, or a lifetime that the spec states; `nil` if it cannot be read, which is
    ///   reported.
    static func lifetime(
        _ node: DocumentNode?, _ scope: ProgramScope, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Time? {
        let reader = ProgramTemplateReader(scope: scope, kinds: [.credential])
        let type = node?["after"] == nil ? ProgramType.date : .duration
        guard let text = node?["after"] ?? node?["at"], let template = reader.read(text, into: &diagnostics) else { return nil }
        if type == .duration, template.isLiteral, let literal = text.text?.value, TextForm.duration.accepts(literal) {
            return literal.milliseconds.map { .milliseconds($0) }
        }
        let reference = "a whole reference to a field of the credential of type '\(type.rawValue)', such as"
        let rule =
            type == .date
            ? "'at' must be \(reference) \"{credential.expiry}\""
            : "'after' must be a duration, such as '55m', or \(reference) \"{credential.lifetime}\""
        let slot = template.slot(orReport: rule, into: &diagnostics) { $0.type == type }
        return slot.map { .slot($0) }
    }

    /// - Returns: `nil` if one of them is wrong, or there is none.
    private mutating func destinations(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> (slots: [Int], isForRequested: Bool)? {
        let items = node?.items ?? []
        var slots: [Int] = []
        var isForRequested = false
        var isWhole = !items.isEmpty
        for item in items {
            // Fields of the credential are read after the steps, which set them.
            guard !item.namesCredentialField else { continue }
            switch item.text?.value {
            case Self.requested: isForRequested = true
            case Self.application: break
            case Self.steps:
                scope.add(Located("servers", at: item.span.location), .parameter, type: .origins)
                slots.append(scope.slotCount - 1)
            default:
                if let slot = destination(item, into: &diagnostics) { slots.append(slot) } else { isWhole = false }
            }
        }
        return isWhole ? (slots, isForRequested) : nil
    }
}
