/// Reads the expected answers to a request that the method itself sends, or to a login page.
struct ProgramAnswerReader {
    /// The values that an accepted answer fills.
    struct Outcome {
        let turn: ProgramPaths.Turn
        let captured: [Captured]
    }

    struct Captured {
        let slot: Int
        let place: SourceLocation
        /// The reason why the value may be absent; `nil` if it is present.
        let reason: Diagnostic.Note?
    }

    /// The values before the step, and those that the step fills.
    let scope: ProgramScope
    let filling: ProgramFilling
    /// Whether the answers are those of a login page, each of which has a query.
    private let isPage: Bool
    /// Whether the answers belong to steps that are repeated with pauses.
    private let isPaced: Bool
    /// Whether the step has a condition, so that the login can continue without it.
    private let isConditional: Bool
    private(set) var outcomes: [Outcome] = []
    /// The slots that are filled only with URLs, whose origins are checked.
    private(set) var addresses: [Int] = []

    init(scope: ProgramScope, filling: ProgramFilling, isPage: Bool, isPaced: Bool, isConditional: Bool) {
        self.isPage = isPage
        self.isPaced = isPaced
        self.isConditional = isConditional
        self.scope = scope
        self.filling = filling
    }

    /// - Returns: `nil` if one of the answers cannot be read, which is reported.
    mutating func read(
        _ entry: DocumentNode.Entry?, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Answer]? {
        guard let entry, !entry.value.items.isEmpty else { return nil }
        let items = entry.value.items
        ProgramStepReader.checkNames(of: items, into: &diagnostics)
        let answers = items.enumerated().map { read($1, named: "answer \($0 + 1)", into: &diagnostics) }
        if !isConditional, items.allSatisfy({ $0["error"] != nil }) {
            diagnostics.report(
                .neverSucceeds,
                "every answer is an error, so the step never succeeds; add the expected answer, or add 'when' with the condition for the failure",
                at: entry.keySpan)
        }
        checkOrder(of: answers, at: items, into: &diagnostics)
        fill(by: items)
        let whole = answers.compactMap(\.self)
        return whole.count == items.count ? whole : nil
    }

    private func read(
        _ node: DocumentNode, named name: String, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Answer? {
        guard case .mapping = node.content else { return nil }
        // An answer with `error` in a conditional step may match every response, to end the login in any case.
        let isEnd = isConditional && node["error"] != nil
        if !isPage, !isEnd,
            ["status", "headers", "www-authenticate", "text", "json", "xml", "cookies", "query"].allSatisfy({ node[$0] == nil })
        {
            diagnostics.report(
                .matchesEverything, "an answer without 'status' and 'headers' matches every response",
                at: node.entries.first?.keySpan ?? node.span)
        }
        if let error = node.entry("error"), let capture = node.entry("capture") {
            diagnostics.report(
                .notExactlyOne, "an answer with 'error' cannot capture values; remove 'error' or 'capture'", at: capture.keySpan,
                notes: [Diagnostic.Note("the error", at: error.key.location)])
        }
        if let delay = node.entry("delay"), !isPaced || node["error"] != nil {
            diagnostics.report(
                .misplacedKey,
                isPaced
                    ? "an answer with 'error' ends the repetition; remove 'delay'"
                    : "'delay' lengthens the pauses of a 'repeat' with 'every', but there is none around this answer",
                at: delay.keySpan
            )
        }
        let captures = captures(of: node, into: &diagnostics)
        let pattern = ProgramPatternReader(scope: scope, comparingWith: comparable)
            .read(node, named: Located(name, at: node.span.location), capturing: captures, into: &diagnostics)
        let delay = node.text("delay", as: .duration)?.value.milliseconds ?? 0
        return pattern.map { ResolvedProgram.Answer(pattern: $0, isRefusal: node["error"] != nil, delay: delay) }
    }

    /// The kinds of values with which an answer can be compared.
    private var comparable: Set<ProgramScope.Kind> { scope.kindsInPatterns.union(scope.kindsInSteps) }

    /// - Returns: `nil` if one of the captures is wrong.
    private func captures(
        of node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Capture]? {
        let entries = node["capture"]?.entries ?? []
        let reader = ProgramCaptureReader(scope: scope, kinds: comparable)
        let captures = entries.compactMap { entry -> ResolvedProgram.Capture? in
            let target = filling.target(of: entry, filledBy: .answer, in: scope, into: &diagnostics)
            if let target { check(entry, fills: target, into: &diagnostics) }
            return reader.read(entry, of: node, into: target?.slot, &diagnostics)
        }
        return captures.count == entries.count ? captures : nil
    }

    /// Reports a capture whose type the value cannot hold, and a default for a secret.
    private func check(
        _ entry: DocumentNode.Entry, fills target: ProgramFilling.Target, into diagnostics: inout DiagnosticCollector
    ) {
        guard let declared = target.type, let type = ProgramCaptureReader.type(of: entry.value) else { return }
        let isFitting =
            switch declared {
            case .string: type == .string || type == .url
            case .secret: type == .string || type == .secret
            case .privateKey, .certificateRequest, .answers, .identity: false
            default: type == declared
            }
        if !isFitting {
            let expected = declared == .secret ? ProgramType.string : declared
            diagnostics.report(
                .wrongType, "'\(entry.key.value)' is a '\(declared.rawValue)'; write 'type: \(expected.rawValue)'",
                at: entry.value["type"]?.span ?? entry.keySpan,
                suggestion: entry.value["type"].map { _ in expected.rawValue },
                notes: [Diagnostic.Note("declared here", at: target.declaration)])
        }
        if declared == .secret, let fallback = entry.value["default"] {
            diagnostics.report(
                .literalSecret,
                "'\(entry.key.value)' is a secret, but this text would be in the generated code; remove 'default'",
                at: fallback.span)
        }
    }

    /// Reports answers that are never used, since an earlier one matches all of their responses.
    private func checkOrder(
        of answers: [ResolvedProgram.Answer?], at items: [DocumentNode], into diagnostics: inout DiagnosticCollector
    ) {
        for (number, answer) in answers.enumerated() {
            guard let answer, let first = answers[..<number].firstIndex(where: { $0?.pattern.covers(answer.pattern) == true })
            else { continue }
            diagnostics.report(
                .unreachableStep,
                "answer \(first + 1) matches every response that this one matches; put this one before it, or remove one",
                at: items[number].entries.first?.keySpan ?? items[number].span,
                notes: [Diagnostic.Note("answer \(first + 1)", at: items[first].span.location)])
        }
    }

    /// Determines the values that each accepted answer fills, as far as they could be read.
    private mutating func fill(by items: [DocumentNode]) {
        let accepted = items.filter { !$0.entries.isEmpty && $0["error"] == nil }
        outcomes = accepted.map { item in
            let span = item.entries.first?.keySpan ?? item.span
            return Outcome(
                turn: ProgramPaths.Turn(
                    kind: .answer, span: span, note: Diagnostic.Note("when this answer matches", at: span.location)),
                captured: (item["capture"]?.entries ?? []).compactMap(captured) + cookies(of: item))
        }
        let captures = accepted.flatMap { $0["capture"]?.entries ?? [] }
        for (name, same) in Dictionary(grouping: captures, by: \.key.value)
        where same.allSatisfy({ ProgramCaptureReader.type(of: $0.value) == .url }) {
            if let slot = slot(of: name) { addresses.append(slot) }
        }
    }

    /// Returns the credential's cookies if the answer requires cookies.
    private func cookies(of item: DocumentNode) -> [Captured] {
        guard let entry = item.entry("cookies"), let slot = scope.cookies,
            entry.value.text != nil || !entry.value.entries.allSatisfy(\.value.mustBeAbsent)
        else { return [] }
        return [Captured(slot: slot, place: entry.key.location, reason: nil)]
    }

    private func captured(_ entry: DocumentNode.Entry) -> Captured? {
        guard let slot = slot(of: entry.key.value) else { return nil }
        return Captured(slot: slot, place: entry.key.location, reason: ProgramCaptureReader.absence(of: entry))
    }

    private func slot(of name: String) -> Int? {
        scope.slot(of: name, .credential) ?? scope.slot(of: name, .result) ?? scope.slot(of: name, .step)
    }
}

extension ResolvedProgram.Challenge {
    /// Whether this pattern matches every response that another one matches, as far as that is evident.
    fileprivate func covers(_ other: Self) -> Bool {
        !captures.contains(where: \.isDemanded) && (schemes.isEmpty || schemes == other.schemes)
            && (statuses.isEmpty || !other.statuses.isEmpty && Set(statuses).isSuperset(of: other.statuses))
            && Set(headers).isSubset(of: other.headers) && Set(json).isSubset(of: other.json)
            && Set(xml).isSubset(of: other.xml)
            && Set(query).isSubset(of: other.query)
            && (text == nil || text == other.text)
            && (cookies.map { $0.isEmpty ? other.setsCookies : Set($0).isSubset(of: other.cookies ?? []) } ?? true)
    }
}
