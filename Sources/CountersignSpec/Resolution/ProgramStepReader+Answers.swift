// Steps with answers of servers: requests and pages.

extension ProgramStepReader {
    /// Reads a page.
    ///
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    mutating func page(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Page? {
        if let end = node.entry("ends-at") {
            let page = ProgramPageReader(scope: scope, generated: generated).read(node, endingAt: end, into: &diagnostics)
            // The runtime checks that there are cookies when the page has ended.
            if page != nil, let cookies = scope.cookies { fill(cookies, at: end) }
            return page
        }
        if let code = node.pollingEntry {
            if filling.isRepeating {
                let page = code.key.value == "code" ? "a page with a code" : "a page that is polled"
                diagnostics.report(
                    .misplacedKey, "\(page) is shown while the next step runs; move it out of 'repeat'", at: code.keySpan)
            }
            return ProgramPageReader(scope: scope, generated: generated).read(node, with: code, into: &diagnostics)
        }
        if let until = node.entry("until"), node["answers"] == nil {
            diagnostics.report(.missingKey, "a page with 'until' needs the key 'answers'", at: until.keySpan)
        }
        let page = answers(of: node, isPage: true, into: &diagnostics) { [generated] scope, answers, diagnostics in
            ProgramPageReader(scope: scope, generated: generated).read(node, answers: answers, into: &diagnostics)
        }
        if page == nil, let verifier = node["pkce"]?.references.first, let slot = scope.slot(of: verifier, .step) {
            scope.paths.set(slot, .unknown)
        }
        for alternative in page?.alternatives ?? [] {
            for slot in alternative.without {
                scope.note(Diagnostic.Note("a page under 'instead' is opened without it", at: node.span.location), for: slot)
                scope.paths.set(slot, .maybe)
            }
        }
        return page
    }

    /// Reads a request whose answer is a token.
    mutating func tokenCall(
        _ node: DocumentNode, _ failures: [(failure: ResolvedProgram.TokenCall.Failure, errorCase: Located<String>)],
        into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.TokenCall? {
        if scope.hasToken, part == .end, let answers = node.entry("answers") {
            diagnostics.report(
                .misplacedKey, "the steps after a logout obtain no token; write a list of answers", at: answers.value.span)
        } else if !scope.hasToken, !scope.incomplete.contains(.credential), let answers = node.entry("answers") {
            diagnostics.report(
                .misplacedKey,
                part == .operation
                    ? "an operation has no credential; write a list of answers"
                    : "'oauth2-token' requires a token as the credential; write 'token: oauth2' under 'credential', or a list of answers",
                at: answers.value.span)
        }
        let call = ProgramCallReader(scope: scope).token(node, client: client, failures, into: &diagnostics)
        if let slot = scope.slot(of: "access_token", .credential) {
            filling.note(slot, at: node.span.location)
            scope.paths.set(slot, .present)
        }
        if let slot = scope.slot(of: "refresh_token", .credential) {
            scope.note(Diagnostic.Note("not every token response contains one", at: node.span.location), for: slot)
            scope.paths.set(slot, .maybe)
        }
        return call
    }

    /// Reads a request.
    ///
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    mutating func call(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Call? {
        answers(of: node, isPage: false, into: &diagnostics) { scope, answers, diagnostics in
            ProgramCallReader(scope: scope).read(node, answers: answers, into: &diagnostics)
        }
    }

    /// Reads an action with answers, and divides the paths by them.
    ///
    /// - Parameter read: Reads everything except the answers.
    mutating func answers<Action>(
        of node: DocumentNode, isPage: Bool, into diagnostics: inout DiagnosticCollector,
        _ read: (ProgramScope, [ResolvedProgram.Answer]?, inout DiagnosticCollector) -> Action?
    ) -> Action? {
        for capture in (node["answers"]?.items ?? []).flatMap({ $0["capture"]?.entries ?? [] }) {
            filling.declare(capture.key, type: ProgramCaptureReader.type(of: capture.value), in: &scope)
        }
        var answers = ProgramAnswerReader(
            scope: scope, filling: filling, isPage: isPage, isPaced: isPaced, isConditional: isConditional)
        let resolved = answers.read(node.entry("answers"), into: &diagnostics)
        let action = read(scope, resolved, &diagnostics)
        guard !answers.outcomes.isEmpty || isConditional else { return nil }
        // A value that another step may have set could be a text, whose origin is not checked.
        let addresses = answers.addresses.filter {
            !filling.isFilled($0) && scope.paths.presences(of: $0).isSubset(of: [.absent, .unknown])
        }
        for captured in answers.outcomes.flatMap(\.captured) {
            filling.note(captured.slot, at: captured.place)
            scope.note(captured.reason, for: captured.slot)
        }
        for slot in addresses { scope.noteURL(slot) }
        // Each run of a step determines its own values anew, so that they can become absent. A credential keeps the values that
        // are not replaced.
        let filled = Set(answers.outcomes.flatMap { $0.captured.map(\.slot) }).filter(scope.isOfStep)
        scope.paths.branch(
            into: answers.outcomes.map { outcome in
                let captured = outcome.captured.map {
                    (slot: $0.slot, presence: $0.reason == nil ? .present : ProgramPaths.Presence.maybe)
                }
                let others = filled.subtracting(captured.map(\.slot)).sorted()
                return (outcome.turn, captured + others.map { (slot: $0, presence: .absent) })
            })
        return action
    }
}
