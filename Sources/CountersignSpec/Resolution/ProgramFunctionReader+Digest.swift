// Hashes, message authentication codes, and keys that are derived from passwords.

extension ProgramFunctionReader {
    /// Reads a hash or a message authentication code.
    func digest(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Digest? {
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

    /// Reads a key that is derived from a password.
    func derivation(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.KeyDerivation? {
        let refusal = "no key could be derived without it; add 'when', or make it required"
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps, refusal: refusal)
        if let entry = node.entry("pbkdf2") {
            for name in ["key", "salt", "iterations"] where node[name] == nil {
                diagnostics.report(.missingKey, "'pbkdf2' needs the key '\(name)'", at: entry.keySpan)
            }
        }
        let password = node["key"].flatMap { key($0, "the password of a key", or: refusal, into: &diagnostics) }
        let salt = node["salt"].flatMap { reader.read($0, into: &diagnostics) }
        salt?.checkText(isHidden: true, into: &diagnostics)
        let iterations = node["iterations"].flatMap { self.iterations($0, reader, into: &diagnostics) }
        guard let algorithm = node.text("pbkdf2").flatMap({ ResolvedProgram.Digest.Algorithm(rawValue: $0) }), let password,
            let salt, let iterations
        else { return nil }
        return ResolvedProgram.KeyDerivation(
            algorithm: algorithm, password: password, passwordEncoding: encoding("key-as", of: node), salt: salt.resolved,
            saltEncoding: encoding("salt-as", of: node), iterations: iterations,
            encoding: node.text("as").flatMap { .init(rawValue: $0) } ?? .hex)
    }

    /// Reads the number of iterations: a literal, or a whole reference to a text with one, whose limits the runtime checks.
    private func iterations(
        _ node: DocumentNode, _ reader: ProgramTemplateReader, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Template? {
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        if template.isLiteral {
            guard let number = node.text?.value.strictInteger, (1...2_000_000).contains(number) else {
                diagnostics.report(.invalidValue, "the number of iterations must be from 1 to 2000000", at: node.span)
                return nil
            }
            return template.resolved
        }
        guard let reference = template.loneReference, reference.value?.type == .string else {
            diagnostics.report(
                .wrongType, "'iterations' must be a number, or a whole reference to a 'string' with one",
                at: template.loneReference?.span ?? node.span)
            return nil
        }
        return template.resolved
    }

    /// Returns the encoding of a text that a function reads.
    private func encoding(_ key: String, of node: DocumentNode) -> ResolvedProgram.Digest.KeyEncoding {
        node.text(key).flatMap { .init(rawValue: $0) } ?? .text
    }
}
