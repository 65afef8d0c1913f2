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

    private func checkCredential(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        guard scope.isOperation, let entry = node.entries.first(where: { Self.types[$0.key.value] != nil }) else { return }
        diagnostics.report(
            .misplacedKey, "an operation has no credential, so a key and its certificate would be lost", at: entry.keySpan)
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
