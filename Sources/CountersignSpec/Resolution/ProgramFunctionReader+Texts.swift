// Keys that are derived from passwords, and parts of texts.

extension ProgramFunctionReader {
    /// Returns the encoding of a text that a function reads.
    func encoding(_ key: String, of node: DocumentNode) -> ResolvedProgram.Digest.KeyEncoding {
        node.text(key).flatMap { .init(rawValue: $0) } ?? .text
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

    /// Reads a part of a text.
    func part(
        of text: DocumentNode, _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Function? {
        let refusal = "it has no part then; add 'when', or make it required"
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps, refusal: refusal)
        let texts = [text, node["after"], node["before"]].map { node -> LocatedProgramTemplate? in
            guard let template = node.flatMap({ reader.read($0, into: &diagnostics) }) else { return nil }
            template.checkText(isHidden: true, allowsLines: true, into: &diagnostics)
            return template
        }
        for (key, template) in zip(["after", "before"], texts.dropFirst()) where template?.pieces.isEmpty == true {
            diagnostics.report(
                .invalidValue, "'\(key)' is empty; without it, the part \(key == "after" ? "begins" : "ends") with the text",
                at: node[key]?.span ?? node.span)
        }
        if node["after"] == nil, node["before"] == nil, let entry = node.entry("part") {
            diagnostics.report(
                .missingKey, "this is the whole text; add 'after' or 'before', or write 'value'", at: entry.keySpan)
        }
        guard let whole = texts[0], texts[1] != nil || node["after"] == nil, texts[2] != nil || node["before"] == nil else {
            return nil
        }
        return .part(whole.resolved, after: texts[1]?.resolved, before: texts[2]?.resolved)
    }
}
