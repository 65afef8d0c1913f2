/// Reads the challenges of a method.
struct ProgramChallengeReader {
    let scope: ProgramScope

    /// A value that challenges capture.
    struct Captured {
        let name: Located<String>
        /// The type; `nil` if it could not be read.
        let type: ProgramType?
        /// The reason why the value may be absent; `nil` if it is always present.
        let absence: Diagnostic.Note?
    }

    /// Returns the values that challenges capture, each name once, in the order of the file.
    static func captures(of node: DocumentNode?) -> [Captured] {
        let challenges = node?.items ?? []
        var captures: [Captured] = []
        for entry in challenges.flatMap({ $0["capture"]?.entries ?? [] })
        where !captures.contains(where: { $0.name.value == entry.key.value }) {
            // A challenge can capture fewer types than an answer.
            let type = ProgramCaptureReader.type(of: entry.value).flatMap { [.string, .url, .clock, .xml].contains($0) ? $0 : nil }
            captures.append(Captured(name: entry.key, type: type, absence: absence(of: entry.key.value, in: challenges)))
        }
        return captures
    }

    /// Returns the reason why a value may be absent; `nil` if every challenge captures it. Any of them can be the one that is
    /// answered.
    private static func absence(of name: String, in challenges: [DocumentNode]) -> Diagnostic.Note? {
        for challenge in challenges where !challenge.entries.isEmpty {
            if let tls = challenge.entry("tls") {
                return Diagnostic.Note("a refused connection has no values", at: tls.key.location)
            }
            guard let capture = challenge["capture"]?.entry(name) else {
                return Diagnostic.Note(
                    "this challenge does not capture it",
                    at: challenge.entry("name")?.value.span.location ?? challenge.span.location)
            }
            if capture.value.flag("optional") { return Diagnostic.Note("it is optional here", at: capture.key.location) }
        }
        return nil
    }

    /// - Returns: `nil` if one of the challenges cannot be read completely, which is reported.
    func read(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Challenge]? {
        guard let items = node?.items, !items.isEmpty else { return nil }
        checkNames(of: items, into: &diagnostics)
        let challenges = items.compactMap { read(challenge: $0, into: &diagnostics) }
        return challenges.count == items.count ? challenges : nil
    }

    private func read(
        challenge node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Challenge? {
        guard case .mapping = node.content else { return nil }
        let conditions = conditions(node["when"], into: &diagnostics)
        if let tls = node.entry("tls") {
            for entry in node.entries where !["name", "tls", "when"].contains(entry.key.value) {
                diagnostics.report(
                    .misplacedKey, "a refused connection has no response; remove '\(entry.key.value)' or 'tls'",
                    at: entry.keySpan, notes: [Diagnostic.Note("the connection", at: tls.key.location)])
            }
        } else {
            checkIsSpecific(node, into: &diagnostics)
        }
        let captures = captures(of: node, into: &diagnostics)
        var challenge = ProgramPatternReader(scope: scope)
            .read(node, named: node.text("name", as: .label), capturing: captures, into: &diagnostics)
        challenge?.isRefusedConnection = node["tls"] != nil
        challenge?.conditions = conditions ?? []
        challenge?.example = example(node["example"], into: &diagnostics)
        return conditions == nil ? nil : challenge
    }

    /// Reads an example of a response. If it cannot be read, this is reported, and the challenge is read without it.
    private func example(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> ResponseExample? {
        guard let node, let text = node.text else { return nil }
        let example = ResponseExample(text)
        if example == nil {
            diagnostics.report(
                .invalidValue,
                "an example must be an HTTP response: 'HTTP/1.1 401 Unauthorized', header fields, an empty line, the body",
                at: node.span)
        }
        return example
    }

    /// - Returns: `nil` if one of the conditions is wrong.
    private func conditions(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Requirement]? {
        let entries = node?.entries ?? []
        let conditions = entries.compactMap { entry in scope.condition(entry, among: scope.kindsInPatterns, into: &diagnostics) }
        return conditions.count == entries.count ? conditions : nil
    }

    /// Reports a challenge without conditions on the head of a response: it would match every response, or require that every
    /// body is searched. A scheme without a status is reported by the shape check.
    private func checkIsSpecific(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        let schemes = ResolvedProgram.Scheme.Field.allCases.map(\.rawValue)
        guard (["status"] + schemes).allSatisfy({ node[$0] == nil }) else { return }
        if let headers = node.entry("headers") {
            let fields = headers.value.entries
            guard !fields.isEmpty, fields.allSatisfy(\.value.mustBeAbsent) else { return }
            return diagnostics.report(
                .matchesEverything,
                "most responses do not have the fields that must be absent; add 'status', or a field that must be present",
                at: headers.keySpan)
        }
        if let body = ["text", "json", "xml", "cookies"].lazy.compactMap({ node.entry($0) }).first {
            diagnostics.report(
                .matchesEverything,
                "with only '\(body.key.value)', every response would be searched; add 'status' or 'headers'",
                at: body.keySpan)
        } else {
            diagnostics.report(
                .matchesEverything, "a challenge without 'status' and 'headers' matches every response",
                at: node.entry("name")?.keySpan ?? node.span)
        }
    }

    /// Reports challenges with the same name.
    private func checkNames(of items: [DocumentNode], into diagnostics: inout DiagnosticCollector) {
        var names: [String: SourceLocation] = [:]
        for name in items.compactMap({ $0["name"]?.text }) {
            if let first = names[name.value] {
                diagnostics.report(
                    .duplicateName, "there is a challenge '\(name.value)' already", at: name.span,
                    notes: [Diagnostic.Note("the other one", at: first)])
            } else {
                names[name.value] = name.location
            }
        }
    }

    /// - Returns: `nil` if one of the captures is wrong.
    private func captures(
        of node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Capture]? {
        let entries = node["capture"]?.entries ?? []
        let reader = ProgramCaptureReader(scope: scope)
        let captures = entries.compactMap { entry -> ResolvedProgram.Capture? in
            checkType(of: entry, into: &diagnostics)
            return reader.read(entry, of: node, into: scope.slot(of: entry.key.value, .challenge), &diagnostics)
        }
        return captures.count == entries.count ? captures : nil
    }

    /// Reports a value that has another type in another challenge.
    private func checkType(of entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) {
        guard let first = scope["challenge.\(entry.key.value)"], let expected = first.type, let declaration = first.declaration,
            let type = ProgramCaptureReader.type(of: entry.value), type != expected
        else { return }
        diagnostics.report(
            .wrongType,
            "'\(entry.key.value)' is a '\(expected.rawValue)' in another challenge; write 'type: \(expected.rawValue)' here, too",
            at: entry.value["type"]?.span ?? entry.keySpan, notes: [Diagnostic.Note("the other one", at: declaration.location)])
    }
}
