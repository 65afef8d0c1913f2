/// Reads the functions of `compute`.
struct ProgramFunctionReader {
    let scope: ProgramScope

    /// Returns the type of the value; `nil` if it is unknown.
    func type(of node: DocumentNode) -> ProgramType? {
        if let reference = node["value"]?.references.first { return scope[reference.withoutAbsenceMark]?.type }
        // The hash of a secret is a secret, and so are its encoding and its parts.
        let contents = node["hash"] != nil ? node["of"] : node["part"] ?? (node["as"] != nil ? node["join"] : nil)
        if contents?.references.contains(where: { scope[$0.withoutAbsenceMark]?.type == .secret }) == true { return .secret }
        // So are merged objects with secrets. The contents of JSON and of answers are unknown.
        if let objects = node["merge"],
            objects.references.contains(where: { reference in
                scope[reference.withoutAbsenceMark]?.type.map { [.secret, .answers, .json].contains($0) } == true
            })
        {
            return .secret
        }
        return switch node.entries.lazy.compactMap({ Self.types[$0.key.value] }).first {
        case let type?: type
        case nil: nil
        }
    }

    private static let types: [String: ProgramType] = [
        "totp": .secret, "json": .json, "merge": .string, "join": .string, "scopes": .string, "same": .boolean, "hash": .string,
        "hmac": .secret, "pbkdf2": .secret, "part": .string,
        "time": .string, "thumbprint": .string, "jwt": .secret, "private-key": .privateKey,
        "certificate-request": .certificateRequest,
        "identity": .identity, "pem": .string, "serial-number": .string, "lifetime": .duration,
    ]

    /// Returns the failures that a function can have.
    static func failures(of node: DocumentNode) -> [ResolvedProgram.Step.Failure] {
        if node["private-key"] != nil { return [.key] }
        if node["certificate-request"] != nil { return [.name, .key] }
        return node["identity"] == nil ? [] : [.certificate, .mismatch]
    }

    /// Returns the message for a value with another type than the function.
    static func complaint(_ name: String, of declared: ProgramType, about type: ProgramType) -> String {
        switch type {
        case .json: "'\(name)' is a '\(declared.rawValue)', not JSON"
        case .string: "the result of this function is a 'string', but '\(name)' is a '\(declared.rawValue)'"
        case .secret: "the result of this function is a 'secret', but '\(name)' is a '\(declared.rawValue)'"
        default: "'\(name)' is a '\(declared.rawValue)', but the result of this function has the type '\(type.rawValue)'"
        }
    }

    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Function? {
        let refusal = "nothing can be computed without it; add 'when'"
        if let json = node["json"] {
            return ProgramJSONReader(scope: scope, refusal: refusal).read(json, into: &diagnostics).map { .json($0) }
        }
        if let objects = node["merge"] { return merge(objects, into: &diagnostics).map { .merge($0) } }
        if let texts = node["join"], node["as"] != nil { return encoded(texts, node, into: &diagnostics) }
        if let texts = node["join"] { return join(texts, into: &diagnostics).map { .join($0) } }
        if let texts = node["scopes"] { return join(texts, into: &diagnostics).map { .scopes($0) } }
        if let texts = node["same"] { return same(texts, into: &diagnostics).map { .same($0) } }
        if let value = node["value"] { return self.value(value, into: &diagnostics).map { .value($0) } }
        if node["hash"] != nil || node["hmac"] != nil { return digest(node, into: &diagnostics).map { .digest($0) } }
        if node["pbkdf2"] != nil { return derivation(node, into: &diagnostics).map { .derive($0) } }
        if let text = node["part"] { return part(of: text, node, into: &diagnostics) }
        if let time = node["time"] { return self.time(time, clock: node["clock"], into: &diagnostics) }
        if let key = node["totp"] {
            return self.key(key, "the key of one-time passcodes", or: refusal, into: &diagnostics).map { .totp($0) }
        }
        if let key = node["thumbprint"] {
            return self.key(key, "a private key", or: refusal, into: &diagnostics).map { .thumbprint($0) }
        }
        if let token = node["jwt"] { return self.token(token, into: &diagnostics).map { .token($0) } }
        checkCredential(node, into: &diagnostics)
        return certificateFunction(node, into: &diagnostics).map { .certificate($0) }
    }

    /// Reads a secret text.
    func key(
        _ node: DocumentNode, _ what: String, or refusal: String, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Template? {
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps, refusal: refusal)
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        template.checkText(isHidden: true, into: &diagnostics)
        template.checkSentSecret(what, into: &diagnostics)
        return template.resolved
    }

    /// Reads texts whose concatenation is encoded.
    private func encoded(
        _ texts: DocumentNode, _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Function? {
        let templates = join(texts, isEncoded: true, into: &diagnostics)
        guard let templates, let encoding = node.text("as").flatMap({ ResolvedProgram.Digest.Encoding(rawValue: $0) }) else {
            return nil
        }
        return .encode(templates, encoding)
    }

    /// Reads texts that are concatenated. Absent ones are omitted.
    ///
    /// - Parameter isEncoded: Whether the result is an encoding of the text, which can be a secret.
    private func join(
        _ node: DocumentNode, isEncoded: Bool = false, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Template]? {
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps)
        let templates = node.items.compactMap { reader.read($0, into: &diagnostics) }
        for template in templates {
            // A mistake that only this place explains.
            for piece in template.pieces where !isEncoded && piece.value?.type == .secret {
                diagnostics.report(
                    .exposedSecret,
                    "'\(piece.value?.reference ?? "")' is a secret, but the result is not; write the text in the request that sends it",
                    at: piece.span,
                    notes: piece.value?.declaration.map { [Diagnostic.Note("declared here", at: $0.location)] } ?? [])
            }
            template.checkText(isHidden: true, allowsLines: isEncoded, into: &diagnostics)
        }
        guard !templates.isEmpty, templates.count == node.items.count else { return nil }
        if templates.allSatisfy({ $0.absence(in: scope) != nil }) {
            diagnostics.report(
                .optionalReference, "all of these may be absent, so the text could be empty; add one that is always present",
                at: node.span)
        }
        return templates.map(\.resolved)
    }

    /// Reads objects that are merged. Absent ones are omitted.
    private func merge(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.JSON]? {
        let reader = ProgramJSONReader(scope: scope, refusal: nil)
        let objects = node.items.compactMap { item -> ResolvedProgram.JSON? in
            guard let json = reader.read(item, into: &diagnostics) else { return nil }
            switch json {
            case .object: return json
            case .text(let template) where template.pieces.count == 1 && !template.slots.isEmpty: return json
            default:
                diagnostics.report(
                    .wrongType, "only objects, and whole references to texts with an object, can be merged", at: item.span)
                return nil
            }
        }
        return !objects.isEmpty && objects.count == node.items.count ? objects : nil
    }

    /// Reads texts that are compared.
    private func same(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Template]? {
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps)
        let templates = node.items.compactMap { reader.read($0, into: &diagnostics) }
        for template in templates { template.checkText(isHidden: true, into: &diagnostics) }
        if node.items.count == 1 {
            diagnostics.report(.invalidValue, "'same' compares several texts; add another one", at: node.span)
        }
        return templates.count == node.items.count && templates.count > 1 ? templates.map(\.resolved) : nil
    }

    /// Reads a hash or a message authentication code.
    private func digest(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Digest? {
        let refusal = "nothing would be hashed without it; add 'when', or make it required"
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps, refusal: refusal)
        let message = node["of"].flatMap { reader.read($0, into: &diagnostics) }
        message?.checkText(isHidden: true, allowsLines: true, into: &diagnostics)
        if let encoding = node.entry("of-as"), encoding.value.text?.value != "text" {
            for piece in message?.pieces ?? [] {
                guard case .request = piece.piece else { continue }
                diagnostics.report(
                    .wrongType,
                    "a part of a request is not encoded; encode it with 'join' and 'as', and refer to the result", at: piece.span,
                    notes: [Diagnostic.Note("the encoding of the whole text", at: encoding.key.location)])
            }
        }
        let key = node["key"].flatMap { reader.read($0, into: &diagnostics) }
        key?.checkText(isHidden: true, into: &diagnostics)
        key?.checkSentSecret("the key of a signature", into: &diagnostics)
        if let entry = node.entry("hash") ?? node.entry("hmac") {
            for name in ["of"] + (node["hmac"] == nil ? [] : ["key"]) where node[name] == nil {
                diagnostics.report(.missingKey, "'\(entry.key.value)' needs the key '\(name)'", at: entry.keySpan)
            }
        }
        let word = node["hash"] ?? node["hmac"]
        guard let algorithm = word?.text.flatMap({ ResolvedProgram.Digest.Algorithm(rawValue: $0.value) }), let message,
            key != nil || node["hmac"] == nil
        else { return nil }
        return ResolvedProgram.Digest(
            algorithm: algorithm, message: message.resolved, messageEncoding: encoding("of-as", of: node), key: key?.resolved,
            keyEncoding: encoding("key-as", of: node), encoding: node.text("as").flatMap { .init(rawValue: $0) } ?? .hex)
    }

    private func time(
        _ node: DocumentNode, clock: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Function? {
        let format = node.text.flatMap { ResolvedProgram.TimeFormat(rawValue: $0.value) }
        let slot = clock.flatMap { ProgramFieldReader(scope: scope, kinds: scope.kindsInSteps).clock($0, into: &diagnostics) }
        guard let format, slot != nil || clock == nil else { return nil }
        return .time(format, clock: slot)
    }

    private func value(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> Int? {
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps)
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        guard let slot = template.loneReference?.value?.slot else {
            diagnostics.report(.wrongType, "'value' is a whole reference to a value", at: node.span)
            return nil
        }
        return slot
    }

    /// Reads a token that the client signs.
    private func token(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.SignedToken? {
        let key = node["key"].flatMap {
            self.key($0, "a private key", or: "nothing can be signed without it; add 'when'", into: &diagnostics)
        }
        let texts = ProgramFieldReader(scope: scope, kinds: scope.kindsInSteps)
        let keyIdentifier = node["key-id"].flatMap { texts.template($0, into: &diagnostics) }
        let entries = node["claims"]?.entries ?? []
        let values = ProgramJSONReader(scope: scope, refusal: nil)
        let claims = entries.compactMap { entry -> ResolvedProgram.JSON.Member? in
            let name = values.name(of: entry, into: &diagnostics)
            let value = values.read(entry.value, into: &diagnostics)
            if let key = ["iat": "clock-skew", "exp": "lifetime"][entry.key.value] {
                diagnostics.report(
                    .duplicateName, "'jwt' already sets '\(entry.key.value)'; write '\(key)' beside 'claims' to change it",
                    at: entry.keySpan)
            }
            guard let name, let value else { return nil }
            return ResolvedProgram.JSON.Member(name: name, value: value)
        }
        let lifetime = node["lifetime"] == nil ? 60_000 : node.text("lifetime").flatMap(\.milliseconds)
        let clockSkew = node["clock-skew"] == nil ? 0 : node.text("clock-skew").flatMap(\.milliseconds)
        checkTimes(of: node, lifetime, clockSkew, into: &diagnostics)
        guard let key, keyIdentifier != nil || node["key-id"] == nil, !claims.isEmpty, claims.count == entries.count, let lifetime,
            let clockSkew
        else { return nil }
        return ResolvedProgram.SignedToken(
            claims: claims, key: key, keyIdentifier: keyIdentifier?.resolved, usesPSS: node.text("rsa-algorithm") == "PS256",
            lifetime: lifetime, clockSkew: clockSkew)
    }

    /// Reports times that a token cannot have. They are `nil` if they cannot be read.
    private func checkTimes(
        of node: DocumentNode, _ lifetime: Int?, _ clockSkew: Int?, into diagnostics: inout DiagnosticCollector
    ) {
        if let span = node["lifetime"]?.span, let lifetime,
            !lifetime.isMultiple(of: 1000) || !(1_000...86_400_000).contains(lifetime)
        {
            diagnostics.report(.invalidValue, "the lifetime of a token must be from 1s to 24h, in whole seconds", at: span)
        }
        guard let span = node["clock-skew"]?.span, let clockSkew else { return }
        if !clockSkew.isMultiple(of: 1000) {
            diagnostics.report(.invalidValue, "'clock-skew' must be in whole seconds", at: span)
        } else if let lifetime, clockSkew >= lifetime {
            diagnostics.report(
                .invalidValue, "the token would have expired before it is signed; 'clock-skew' must be less than 'lifetime'",
                at: span)
        }
    }

    // MARK: Keys and certificates

    private func checkCredential(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        guard scope.isOperation, let entry = node.entries.first(where: { Self.types[$0.key.value] != nil }) else { return }
        diagnostics.report(
            .misplacedKey, "an operation has no credential, so a key and its certificate would be lost", at: entry.keySpan)
    }

    private func certificateFunction(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.CertificateFunction? {
        if let kind = node["private-key"] { return key(kind, into: &diagnostics) }
        if let request = node["certificate-request"] { return self.request(request, into: &diagnostics) }
        if let identity = node["identity"] {
            let key = identity["key"].flatMap { self.key(named: $0, into: &diagnostics) }
            let certificates = identity["certificates"].flatMap {
                slot(
                    $0, of: [.string, .texts], "'certificates' must be a whole reference to a text or texts with certificates",
                    into: &diagnostics)
            }
            guard let key, let certificates else { return nil }
            return .identity(key: key, certificates: certificates)
        }
        if let whole = node["pem"] {
            return slot(
                whole, of: [.certificateRequest, .identity],
                "'pem' must be a whole reference to a certificate request or an identity",
                into: &diagnostics
            ).map { .pem($0) }
        }
        if let whole = node["serial-number"] {
            return slot(whole, of: [.identity], "'serial-number' must be a whole reference to an identity", into: &diagnostics)
                .map { .serialNumber($0) }
        }
        return node["lifetime"].flatMap {
            slot($0, of: [.identity], "'lifetime' must be a whole reference to an identity", into: &diagnostics)
                .map { .lifetime($0) }
        }
    }

    private func key(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.CertificateFunction? {
        let words = ["p256", "rsa2048"]
        let reader = ProgramTemplateReader(
            scope: scope, kinds: scope.kindsInSteps, refusal: "a key needs a type; give its capture a default")
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        if template.isLiteral {
            guard let text = node.text?.value, !words.contains(text) else { return .key(template.resolved) }
            diagnostics.report(
                .unknownWord, "'\(text.firstLine)' is not a supported type of key", at: node.span, meaning: text, among: words)
            return nil
        }
        guard template.loneReference?.value?.type == .string else {
            diagnostics.report(
                .wrongType,
                "'private-key' must be \(words.map { "'\($0)'" }.joined(separator: " or ")), or a whole reference to a 'string'",
                at: template.loneReference?.span ?? node.span)
            return nil
        }
        return .key(template.resolved)
    }

    private func request(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.CertificateFunction? {
        let key = node["key"].flatMap { self.key(named: $0, into: &diagnostics) }
        let names = ["subject", "dns", "email"].map { name in
            node[name].map { (template: self.names($0, into: &diagnostics), node: $0) }
        }
        guard let key, names.allSatisfy({ $0 == nil || $0?.template != nil }) else { return nil }
        return .request(key: key, subject: names[0]?.template, dns: names[1]?.template, email: names[2]?.template)
    }

    private func key(named node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> Int? {
        slot(node, of: [.privateKey], "'key' must be a whole reference to a 'private-key'", into: &diagnostics)
    }

    /// Reads a public value of a certificate: a literal text, or a whole reference, since values within another text would not be
    /// escaped.
    private func names(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Template? {
        guard let template = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps).read(node, into: &diagnostics) else {
            return nil
        }
        template.checkText(isHidden: false, into: &diagnostics)
        guard template.isLiteral || template.loneReference != nil else {
            diagnostics.report(.wrongType, "this must be a text without references, or a whole reference", at: node.span)
            return nil
        }
        return template.resolved
    }

    /// Returns the slot of the value in a whole reference.
    func slot(
        _ node: DocumentNode, of types: [ProgramType], _ rule: String, into diagnostics: inout DiagnosticCollector
    ) -> Int? {
        let reader = ProgramTemplateReader(
            scope: scope, kinds: scope.kindsInSteps, refusal: "nothing can be done without it; add 'when'")
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        return template.slot(orReport: rule, into: &diagnostics) { value in
            types.contains { $0 == value.type }
        }
    }
}
