/// Reads header fields and signatures, both of the application's requests and of those that the method itself sends.
struct ProgramFieldReader {
    let scope: ProgramScope
    /// The kinds of values to which references can refer.
    let kinds: Set<ProgramScope.Kind>
    /// Whether the values can be secrets.
    var canBeSecret = true
    /// Whether the name of a header field can be a field of the credential, whose value a server chooses.
    var canBeNamedByCredential = false

    /// - Returns: `nil` if the field cannot be read, which is reported.
    func field(_ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Member? {
        let name = name(of: entry, into: &diagnostics)
        let value = template(entry.value, into: &diagnostics)
        guard let name, let value else { return nil }
        return ResolvedProgram.Member(name: name, value: value.resolved)
    }

    /// Reads the name of a header field, or the reference to a parameter or a field of the credential with the name.
    private func name(
        of entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Template? {
        guard TextForm.fieldName.accepts(entry.key.value) else { return nil }
        let reader = ProgramTemplateReader(
            scope: scope, kinds: canBeNamedByCredential ? [.parameter, .credential] : [.parameter],
            refusal: canBeNamedByCredential
                ? "a header field needs a name; give a parameter a default, and set a field of the credential in any case"
                : "a header field needs a name; give the parameter a default", isName: true)
        guard let template = reader.read(entry.keyNode, into: &diagnostics) else { return nil }
        if template.isLiteral {
            let name = entry.key.value
            if Self.belongsToConnection(name.lowercased()) {
                diagnostics.report(
                    .connectionHeader, "'\(name)' controls the message or the connection and cannot be set by a method",
                    at: entry.keySpan)
            }
            guard TextForm.token.accepts(name) else { return nil }
        } else {
            let value = template.loneReference?.value
            guard value?.type == (value?.kind == .credential ? .string : .header) else {
                let field = canBeNamedByCredential ? ", or to a field of the credential of type 'string'" : ""
                diagnostics.report(
                    .wrongType,
                    "the name of a header field must be a token, or a whole reference to a parameter of type 'header'\(field)",
                    at: template.pieces.first { $0.value != nil }?.span ?? entry.keySpan)
                return nil
            }
        }
        return template.resolved
    }

    /// Whether a field, in lower case, is for message framing or for a single hop (RFC 9110, sections 7.2 to 7.8 and 11.7).
    private static func belongsToConnection(_ name: String) -> Bool {
        let names: Set = ["host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer"]
        return names.contains(name) || name.hasPrefix("proxy-")
    }

    /// Reads the user name and password of a signature.
    ///
    /// - Returns: `nil` if they cannot be read; that is reported.
    func login(_ sign: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Login? {
        let scheme = sign["basic"] ?? sign["digest"]
        let user = scheme?["user"].flatMap { template($0, into: &diagnostics) }
        let password = scheme?["password"].flatMap { template($0, into: &diagnostics) }
        password?.checkSentSecret("a password", into: &diagnostics)
        guard let user, let password else { return nil }
        return ResolvedProgram.Login(user: user.resolved, password: password.resolved)
    }

    /// Reads a signature by AWS Signature Version 4.
    ///
    /// - Returns: `nil` if it cannot be read; that is reported.
    func signatureVersion4(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.SignatureVersion4? {
        let identifier = node["id"].flatMap { template($0, into: &diagnostics) }
        let key = node["key"].flatMap { template($0, into: &diagnostics) }
        key?.checkSentSecret("a secret key", into: &diagnostics)
        let session = node["session"].flatMap { template($0, into: &diagnostics) }
        let region = node["region"].flatMap { template($0, into: &diagnostics) }
        let service = node["service"].flatMap { template($0, into: &diagnostics) }
        let clock = node["clock"].flatMap { self.clock($0, into: &diagnostics) }
        let isInQuery = node.text("in") == "query"
        if let expires = node.entry("expires") {
            if !isInQuery {
                diagnostics.report(
                    .misplacedKey,
                    "the service determines the lifetime of a signature in header fields; add 'in: query' to use 'expires'",
                    at: expires.keySpan)
            } else if let time = expires.value.text?.value.milliseconds, !(1_000...604_800_000).contains(time) {
                diagnostics.report(.invalidValue, "the lifetime of a signature must be from 1s to 168h", at: expires.value.span)
            }
        }
        guard let identifier, let key, let region, let service, session != nil || node["session"] == nil,
            clock != nil || node["clock"] == nil
        else { return nil }
        return ResolvedProgram.SignatureVersion4(
            identifier: identifier.resolved, key: key.resolved, session: session?.resolved, region: region.resolved,
            service: service.resolved, clock: clock,
            lifetimeInQuery: isInQuery ? node.text("expires").flatMap(\.milliseconds) ?? 60_000 : nil)
    }

    /// Reads a proof of possession.
    ///
    /// - Returns: `nil` if it cannot be read; that is reported.
    func proof(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Proof? {
        let key = node["key"].flatMap { template($0, into: &diagnostics) }
        key?.checkSentSecret("the key of a proof", into: &diagnostics)
        let token = node["token"].flatMap { template($0, into: &diagnostics) }
        guard let key, token != nil || node["token"] == nil else { return nil }
        return ResolvedProgram.Proof(key: key.resolved, token: token?.resolved)
    }

    /// Reads a signature by HTTP Message Signatures.
    ///
    /// - Returns: `nil` if it cannot be read; that is reported.
    func messageSignature(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.MessageSignature? {
        let algorithm = node.text("algorithm").flatMap { ResolvedProgram.MessageSignature.Algorithm(rawValue: $0) }
        let keys = ProgramTemplateReader(
            scope: scope, kinds: kinds, refusal: "requests would not be signed without it; make it required")
        let key = node["key"].flatMap { keys.read($0, into: &diagnostics) }
        key?.checkText(isHidden: true, into: &diagnostics)
        key?.checkSentSecret("the key of a signature", into: &diagnostics)
        checkLabel(node["label"], into: &diagnostics)
        if let expires = node["expires"], expires.text?.value.milliseconds.map({ $0.isMultiple(of: 1000) }) == false {
            diagnostics.report(.invalidValue, "the lifetime of a signature must be in whole seconds", at: expires.span)
        }
        let keyIdentifier = node["key-id"].flatMap { template($0, into: &diagnostics) }
        let tag = node["tag"].flatMap { template($0, into: &diagnostics) }
        let nonce = node["nonce"].flatMap { self.nonce($0, into: &diagnostics) }
        let clock = node["clock"].flatMap { self.clock($0, into: &diagnostics) }
        if let entry = node.entry("key-as"), algorithm != nil, algorithm != .hmacSHA256 {
            diagnostics.report(
                .misplacedKey, "a private key is always in PEM; remove 'key-as'", at: entry.keySpan)
        }
        var names: [String] = []
        for item in node["components"]?.items ?? [] {
            guard let name = item.text?.value else { continue }
            if names.contains(name) {
                diagnostics.report(.duplicateName, "'\(name)' is already signed; remove this one", at: item.span)
            }
            if Self.unsignedFields.contains(name) {
                diagnostics.report(
                    .invalidValue, "'\(name)' is missing when a request is signed, or changes afterwards; remove it",
                    at: item.span)
            }
            names.append(name)
        }
        guard let algorithm, let key, !names.isEmpty, keyIdentifier != nil || node["key-id"] == nil,
            tag != nil || node["tag"] == nil, nonce != nil || node["nonce"] == nil, clock != nil || node["clock"] == nil
        else { return nil }
        return ResolvedProgram.MessageSignature(
            algorithm: algorithm, key: key.resolved,
            keyEncoding: node.text("key-as").flatMap { .init(rawValue: $0) } ?? .base64, keyIdentifier: keyIdentifier?.resolved,
            components: names, label: node.text("label") ?? "sig1", lifetime: node.text("expires").flatMap(\.milliseconds),
            tag: tag?.resolved, nonce: nonce, clock: clock)
    }

    /// Reads the nonce of a signature.
    private func nonce(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.MessageSignature.Nonce? {
        if node.text?.value == "random" { return .random }
        guard let template = template(node, into: &diagnostics) else { return nil }
        guard !template.isLiteral else {
            diagnostics.report(
                .invalidValue, "a nonce cannot be a fixed text; write 'random', or a reference to a nonce of the server",
                at: node.span)
            return nil
        }
        return .given(template.resolved)
    }

    /// Fields that are written after a request is signed, or that contain the signature.
    private static let unsignedFields: Set = [
        "host", "content-length", "transfer-encoding", "connection", "cookie", "keep-alive", "te", "trailer", "upgrade",
        "signature",
        "signature-input",
    ]

    /// Reports a label that cannot be a dictionary key of structured fields (RFC 8941, section 3.1.2).
    private func checkLabel(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) {
        guard let node, let label = node.text?.value, TextForm.token.accepts(label) else { return }
        let isKey = label.unicodeScalars.enumerated().allSatisfy { index, scalar in
            ("a"..."z").contains(scalar) || scalar == "*"
                || index > 0 && (("0"..."9").contains(scalar) || "_-.".unicodeScalars.contains(scalar))
        }
        guard !isKey else { return }
        diagnostics.report(
            .invalidValue,
            "a label must begin with a lower-case letter or '*', and can only contain lower-case letters, digits and '_-.*'",
            at: node.span)
    }

    /// - Returns: The slot of the clock; `nil` if the reference is not to a clock, which is reported.
    func clock(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> Int? {
        guard let template = ProgramTemplateReader(scope: scope, kinds: kinds).read(node, into: &diagnostics) else { return nil }
        return template.slot(
            orReport: "'clock' must be a whole reference to a value of type 'clock', such as \"{credential.clock?}\"",
            into: &diagnostics
        ) { $0.type == .clock }
    }

    /// Reads a text in a place that can hold secrets, unless `canBeSecret` is `false`.
    func template(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> LocatedProgramTemplate? {
        let template = ProgramTemplateReader(scope: scope, kinds: kinds).read(node, into: &diagnostics)
        template?.checkText(isHidden: canBeSecret, into: &diagnostics)
        return template
    }

    /// Reports header fields that a signature writes.
    static func check(
        _ fields: [DocumentNode.Entry], withoutThoseOf sign: DocumentNode.Entry?, into diagnostics: inout DiagnosticCollector
    ) {
        let names: [String]
        switch sign?.value {
        case nil: names = []
        case let value? where value["http-message"] != nil: names = ["signature", "signature-input"]
        case let value? where value["dpop"] != nil: names = ["dpop"]
        case _?: names = ["authorization"]
        }
        for name in names { check(fields, without: name, by: sign, into: &diagnostics) }
    }

    /// Reports fields that another key writes.
    static func check(
        _ fields: [DocumentNode.Entry], without name: String, by writer: DocumentNode.Entry?,
        into diagnostics: inout DiagnosticCollector
    ) {
        guard let writer else { return }
        for entry in fields where entry.key.value.lowercased() == name {
            diagnostics.report(
                .duplicateName, "'\(writer.key.value)' already sets '\(entry.key.value)'", at: entry.keySpan,
                notes: [Diagnostic.Note("the other one", at: writer.key.location)])
        }
    }
}
