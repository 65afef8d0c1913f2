// Texts that are joined, compared or divided.

extension ProgramFunctionReader {
    /// Reads texts whose concatenation is encoded.
    func encoded(
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
    func join(
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

    /// Reads texts that are compared.
    func same(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Template]? {
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps)
        let templates = node.items.compactMap { reader.read($0, into: &diagnostics) }
        for template in templates { template.checkText(isHidden: true, into: &diagnostics) }
        if node.items.count == 1 {
            diagnostics.report(.invalidValue, "'same' compares several texts; add another one", at: node.span)
        }
        return templates.count == node.items.count && templates.count > 1 ? templates.map(\.resolved) : nil
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
