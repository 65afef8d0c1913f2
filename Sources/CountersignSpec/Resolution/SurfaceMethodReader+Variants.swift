extension SurfaceMethodReader {
    /// Reads a method with several ways to its credential.
    ///
    /// - Returns: `nil` if one of the variants cannot be read, which is reported.
    func variants(
        _ document: LandscapeDocuments.Method, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedSurfaceMethod? {
        let root = document.root
        for key in ["parameters", "acquire", "renew", "end"] {
            guard let entry = root.entry(key) else { continue }
            diagnostics.report(.misplacedKey, "each variant has its own '\(key)'; move it there", at: entry.keySpan)
        }
        if root["credential"]?["token"] == nil, let credential = root.entry("credential") {
            diagnostics.report(
                .misplacedKey,
                "'variants' obtain a token; write 'token: oauth2' under 'credential', or the steps under 'acquire'",
                at: credential.keySpan)
            return nil
        }
        let entries = root["variants"]?.entries ?? []
        let grants = entries.compactMap { grant($0, of: document, into: &diagnostics) }
        checkHandovers(entries, into: &diagnostics)
        guard !grants.isEmpty, grants.count == entries.count else { return nil }
        var program = grants[0].program
        program.grant = nil
        (program.parameters, program.slots, program.acquire, program.renewal, program.end) = ([], [], [], nil, [])
        (program.credential.destinations, program.credential.recipients) = ([], [])
        program.credential.token = ResolvedProgram.Token()
        program.failures = ResolvedProgram.Failure.allCases.compactMap { failure in
            grants.lazy.flatMap(\.program.failures).first { $0.failure == failure }
        }
        return ResolvedSurfaceMethod(program: program, kind: .token, grants: grants)
    }

    private func grant(
        _ entry: DocumentNode.Entry, of document: LandscapeDocuments.Method, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedSurfaceGrant? {
        let node = entry.value
        var whole = document.root
        let own = node.entries.filter { ["parameters", "acquire", "renew", "end", "client"].contains($0.key.value) }
        whole.content = .mapping(
            document.root.entries.filter { key in
                key.key.value != "variants" && !own.contains { $0.key.value == key.key.value }
            } + own)
        let reading = LandscapeDocuments.Method(stem: document.stem, origin: document.origin, root: whole)
        checkLabels(of: node["swift"], into: &diagnostics)
        var program = ProgramReader.read(reading, asVariant: true, provenance, into: &diagnostics)
        program?.grant = entry.key.value
        var parameters = parameters(of: whole, surface: node["swift"], into: &diagnostics)
        if let summary = node.text("summary")?.trimmed {
            parameters?.documentation = Documentation(summary: summary, discussion: node.text("discussion")?.trimmed)
        }
        if let prompt = whole.prompt {
            diagnostics.report(
                .misplacedKey, "an observer of this surface cannot prompt for a token; show a page with 'present'",
                at: prompt.keySpan)
        }
        guard let program, let parameters else { return nil }
        return ResolvedSurfaceGrant(
            name: entry.key, program: program, parameters: parameters,
            labels: node["swift"]?.texts("labels", as: .memberName) ?? [], next: node["then"]?.text, life: node["within"]?.text)
    }

    private func checkHandovers(_ variants: [DocumentNode.Entry], into diagnostics: inout DiagnosticCollector) {
        let names = variants.map(\.key.value)
        for variant in variants {
            guard let node = variant.value["then"], let name = node.text else { continue }
            guard let next = variants.first(where: { $0.key.value == name.value }) else {
                diagnostics.report(
                    .unknownReference, "there is no variant '\(name.value)'", at: node.span, meaning: name.value,
                    among: names.filter { $0 != variant.key.value })
                continue
            }
            if next.key.value == variant.key.value || next.value["then"] != nil {
                diagnostics.report(
                    .notExactlyOne,
                    "a variant that takes over is used for all later credentials; it must be another variant without 'then'",
                    at: node.span,
                    notes: [Diagnostic.Note("this variant", at: next.key.location)])
            }
            for (key, verb) in [("renew", "renews"), ("end", "ends")] {
                guard let entry = variant.value.entry(key) else { continue }
                diagnostics.report(
                    .misplacedKey, "'\(name.value)' takes over after the first credential and \(verb) it; remove '\(key)'",
                    at: entry.keySpan,
                    notes: [Diagnostic.Note("it takes over here", at: node.span.location)])
            }
            checkParameters(of: variant, sufficeFor: next, into: &diagnostics)
        }
    }

    /// Reports parameters of the variant that takes over if they cannot be copied by name from those of the variant that runs
    /// once.
    private func checkParameters(
        of variant: DocumentNode.Entry, sufficeFor next: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) {
        if let entry = next.value["swift"]?["initialisers"]?.items.first?.entry("throws"), let then = variant.value["then"] {
            diagnostics.report(
                .wrongType, "'\(next.key.value)' cannot take over, because its first initialiser throws",
                at: then.span, notes: [Diagnostic.Note("it throws here", at: entry.key.location)])
        }
        let given = variant.value["parameters"]
        // The first initialiser creates the parameters, and requires the optional ones that it lists.
        let listed = next.value["swift"]?["initialisers"]?.items.first?["fields"]?.items.compactMap { $0.text?.value } ?? []
        for field in next.value["parameters"]?.entries ?? [] {
            let canBeAbsent = field.value.flag("optional") && !listed.contains(field.key.value)
            let declaration = [Diagnostic.Note("declared here", at: field.key.location)]
            if let own = given?.entry(field.key.value) {
                let isOptional = own.value.flag("optional") && !canBeAbsent
                checkChoices(of: own, among: field, of: next, into: &diagnostics)
                guard own.value.text("type") != field.value.text("type") || isOptional else { continue }
                let difference =
                    !isOptional
                    ? "of another type there"
                    : field.value.flag("optional") ? "optional here, but required by its first initialiser" : "not optional there"
                diagnostics.report(
                    .wrongType, "'\(next.key.value)' takes over and uses '\(field.key.value)', which is \(difference)",
                    at: own.keySpan, notes: declaration)
            } else if !canBeAbsent, field.value["default"] == nil {
                diagnostics.report(
                    .missingKey,
                    "'\(next.key.value)' takes over, and needs the parameter '\(field.key.value)', which is missing here",
                    at: variant.value.entry("parameters")?.keySpan ?? variant.keySpan, notes: declaration)
            }
        }
    }

    /// Reports a value of a parameter that the variant that takes over does not know.
    private func checkChoices(
        of given: DocumentNode.Entry, among field: DocumentNode.Entry, of next: DocumentNode.Entry,
        into diagnostics: inout DiagnosticCollector
    ) {
        guard given.value.fieldType == .choice, field.value.fieldType == .choice else { return }
        for value in given.value["values"]?.entries ?? [] where field.value["values"]?[value.key.value] == nil {
            diagnostics.report(
                .wrongType,
                "'\(next.key.value)' takes over and uses '\(field.key.value)', which cannot be '\(value.key.value)' there",
                at: value.keySpan, notes: [Diagnostic.Note("declared here", at: field.key.location)])
        }
    }
}
