/// Reads the challenges of a method of version 2.
struct ProgramChallengeReader {
    let scope: ProgramScope

    /// The names that challenges capture, each once and in the order of the file, with why one may be absent.
    static func captures(of node: DocumentNode?) -> [(name: Located<String>, absence: Diagnostic.Note?)] {
        let challenges = node?.items ?? []
        var captures: [(name: Located<String>, absence: Diagnostic.Note?)] = []
        for entry in challenges.flatMap({ $0["capture"]?.entries ?? [] })
        where !captures.contains(where: { $0.name.value == entry.key.value }) {
            captures.append((entry.key, absence(of: entry.key.value, in: challenges)))
        }
        return captures
    }

    /// Present is what every challenge brings: any of them can be the one that was answered.
    private static func absence(of name: String, in challenges: [DocumentNode]) -> Diagnostic.Note? {
        for challenge in challenges where !challenge.entries.isEmpty {
            guard let capture = challenge["capture"]?.entry(name) else {
                return Diagnostic.Note(
                    "this challenge does not capture it",
                    at: challenge.entry("name")?.value.span.location ?? challenge.span.location)
            }
            if capture.value.flag("optional") { return Diagnostic.Note("it is optional here", at: capture.key.location) }
        }
        return nil
    }

    /// - Returns: `nil` if one of them cannot be read whole; that is reported.
    func read(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Challenge]? {
        guard let items = node?.items, !items.isEmpty else { return nil }
        ChallengeReader.checkNames(of: items, into: &diagnostics)
        let challenges = items.compactMap { read(challenge: $0, into: &diagnostics) }
        return challenges.count == items.count ? challenges : nil
    }

    private func read(
        challenge node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Challenge? {
        guard case .mapping = node.content else { return nil }
        ChallengeReader.checkIsSpecific(node, into: &diagnostics)
        let headers = conditions(node["headers"], of: "header field", into: &diagnostics)
        let offer = node["www-authenticate"]
        let scheme = offer.flatMap { self.scheme($0, into: &diagnostics) }
        let captures = captures(of: node, into: &diagnostics)
        guard let name = node.text("name", as: .label), let headers, let captures, scheme != nil || offer == nil else {
            return nil
        }
        return ResolvedProgram.Challenge(
            name: name, statuses: node.statuses(into: &diagnostics), headers: headers, scheme: scheme, captures: captures)
    }

    private func scheme(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Scheme? {
        if let name = node.text {
            return TextForm.token.accepts(name.value) ? ResolvedProgram.Scheme(name: name.value, parameters: []) : nil
        }
        let parameters = conditions(node["parameters"], of: "parameter", into: &diagnostics)
        guard let name = node.text("scheme", as: .token), let parameters else { return nil }
        return ResolvedProgram.Scheme(name: name.value, parameters: parameters)
    }

    /// - Returns: `nil` if one of them is wrong.
    private func conditions(
        _ node: DocumentNode?, of kind: String, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Condition]? {
        let entries = node?.entries ?? []
        var names = UniqueNames()
        let conditions = entries.compactMap { entry -> ResolvedProgram.Condition? in
            names.check(entry, "the \(kind) '\(entry.key.value)' is here already; names have no case", into: &diagnostics)
            let match = match(entry.value, into: &diagnostics)
            guard TextForm.token.accepts(entry.key.value), let match else { return nil }
            return ResolvedProgram.Condition(name: entry.key.value, match: match)
        }
        return conditions.count == entries.count ? conditions : nil
    }

    private func match(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Condition.Match? {
        if let text = node.text {
            return text.value == "present" ? .present : template(node, into: &diagnostics).map { .equals($0) }
        }
        if let prefix = node["prefix"] { return template(prefix, into: &diagnostics).map { .prefix($0) } }
        return node["contains"].flatMap { template($0, into: &diagnostics) }.map { .contains($0) }
    }

    /// A text that a value is compared with.
    private func template(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Template? {
        let reader = ProgramTemplateReader(
            scope: scope, kinds: [.parameter], refusal: "nothing can be compared with it then; give the parameter a default")
        let template = reader.read(node, into: &diagnostics)
        template?.checkText(isHidden: false, into: &diagnostics)
        return template?.resolved
    }

    /// - Returns: `nil` if one of them is wrong.
    private func captures(
        of node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Capture]? {
        let entries = node["capture"]?.entries ?? []
        let captures = entries.compactMap { entry -> ResolvedProgram.Capture? in
            let capture = entry.value
            if let parameter = capture.entry("parameter"), node["www-authenticate"] == nil {
                diagnostics.report(
                    .misplacedKey,
                    "a parameter is that of an authentication scheme; name the scheme with 'www-authenticate' in this challenge",
                    at: parameter.keySpan)
            }
            if let fallback = capture.entry("default"), capture.flag("optional") {
                diagnostics.report(
                    .optionalDefault, "'\(entry.key.value)' is optional and has a default; it can only be one of them",
                    at: fallback.keySpan)
            }
            let source =
                capture.text("header", as: .token).map { ResolvedProgram.Capture.Source.header($0.value) }
                ?? capture.text("parameter", as: .token).map { .parameter($0.value) }
            guard let source, let slot = scope.slot(of: entry.key.value, .challenge) else { return nil }
            return ResolvedProgram.Capture(
                slot: slot, source: source, fallback: capture.text("default"), isOptional: capture.flag("optional"))
        }
        return captures.count == entries.count ? captures : nil
    }
}

/// Names without case, each of which stands once.
struct UniqueNames {
    private var places: [String: SourceLocation] = [:]

    /// Reports a key whose name was there before.
    mutating func check(_ entry: DocumentNode.Entry, _ message: String, into diagnostics: inout DiagnosticCollector) {
        guard let first = places.updateValue(entry.key.location, forKey: entry.key.value.lowercased()) else { return }
        diagnostics.report(
            .duplicateName, message, at: entry.keySpan, notes: [Diagnostic.Note("the other one", at: first)])
    }
}
