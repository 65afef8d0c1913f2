/// Reads what is expected in return for a request of the method's own, in version 2.
struct ProgramAnswerReader {
    /// A field of the credential that every accepted answer fills.
    struct Filled {
        let name: Located<String>
        /// Why it may be absent.
        let absence: Diagnostic.Note?
        /// Whether it is an address that was checked, whatever the answer.
        let isURL: Bool
    }

    /// The values before the step.
    let scope: ProgramScope
    let fields: ProgramFilling
    private(set) var filled: [Filled] = []

    init(scope: ProgramScope, fields: ProgramFilling) {
        self.scope = scope
        self.fields = fields
    }

    /// - Returns: `nil` if one of them cannot be read; that is reported.
    mutating func read(
        _ entry: DocumentNode.Entry?, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Answer]? {
        guard let entry, !entry.value.items.isEmpty else { return nil }
        let items = entry.value.items
        let answers = items.enumerated().map { read($1, named: "answer \($0 + 1)", into: &diagnostics) }
        if items.allSatisfy({ $0["error"] != nil }) {
            diagnostics.report(
                .neverSucceeds, "every answer is an error, so that the step never succeeds; add the answer that is expected",
                at: entry.keySpan)
        }
        checkOrder(of: answers, at: items, into: &diagnostics)
        fill(by: items, into: &diagnostics)
        let whole = answers.compactMap(\.self)
        return whole.count == items.count ? whole : nil
    }

    private func read(
        _ node: DocumentNode, named name: String, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Answer? {
        guard case .mapping = node.content else { return nil }
        if ["status", "headers", "www-authenticate"].allSatisfy({ node[$0] == nil }) {
            diagnostics.report(
                .matchesEverything, "an answer without 'status' and 'headers' is every response",
                at: node.entries.first?.keySpan ?? node.span)
        }
        if let error = node.entry("error"), let capture = node.entry("capture") {
            diagnostics.report(
                .notExactlyOne, "an answer with 'error' captures nothing; take one of them away", at: capture.keySpan,
                notes: [Diagnostic.Note("the error", at: error.key.location)])
        }
        let captures = captures(of: node, into: &diagnostics)
        let pattern = ProgramPatternReader(scope: scope)
            .read(node, named: Located(name, at: node.span.location), capturing: captures, into: &diagnostics)
        return pattern.map { ResolvedProgram.Answer(pattern: $0, isRefusal: node["error"] != nil) }
    }

    /// - Returns: `nil` if one of them is wrong.
    private func captures(
        of node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Capture]? {
        let entries = node["capture"]?.entries ?? []
        let reader = ProgramCaptureReader(scope: scope)
        let captures = entries.compactMap { entry -> ResolvedProgram.Capture? in
            let field = fields.field(of: entry, filledBy: "an answer", into: &diagnostics)
            if let field { check(entry, fills: field, into: &diagnostics) }
            let slot = field.flatMap { _ in scope.slot(of: entry.key.value, .credential) }
            return reader.read(entry, of: node, into: slot, &diagnostics)
        }
        return captures.count == entries.count ? captures : nil
    }

    /// A field takes what its type can hold, and a secret nothing that stands in a spec.
    private func check(
        _ entry: DocumentNode.Entry, fills field: ProgramCredentialReader.Field, into diagnostics: inout DiagnosticCollector
    ) {
        guard let declared = field.type, let type = ProgramCaptureReader.type(of: entry.value) else { return }
        let isFitting =
            switch declared {
            case .duration: type == .duration
            case .string: type == .string || type == .url
            default: type == .string
            }
        if !isFitting {
            let expected = declared == .duration ? FieldType.duration : .string
            diagnostics.report(
                .wrongType,
                "the credential's field '\(entry.key.value)' is a '\(declared.rawValue)'; write 'type: \(expected.rawValue)'",
                at: entry.value["type"]?.span ?? entry.keySpan,
                suggestion: entry.value["type"].map { _ in expected.rawValue },
                notes: [Diagnostic.Note("declared here", at: field.entry.key.location)])
        }
        if declared == .secret, let fallback = entry.value["default"] {
            diagnostics.report(
                .literalSecret,
                "'\(entry.key.value)' is a secret, and this text would stand in generated code; take 'default' away",
                at: fallback.span)
        }
    }

    /// Each answer can be reached: none before it fits all that it fits.
    private func checkOrder(
        of answers: [ResolvedProgram.Answer?], at items: [DocumentNode], into diagnostics: inout DiagnosticCollector
    ) {
        for (number, answer) in answers.enumerated() {
            guard let answer, let first = answers[..<number].firstIndex(where: { $0?.pattern.covers(answer.pattern) == true })
            else { continue }
            diagnostics.report(
                .unreachableStep, "answer \(first + 1) fits all that this one fits; put this one before it, or take one away",
                at: items[number].entries.first?.keySpan ?? items[number].span,
                notes: [Diagnostic.Note("answer \(first + 1)", at: items[first].span.location)])
        }
    }

    /// Whichever answer comes, the same fields are filled.
    private mutating func fill(by items: [DocumentNode], into diagnostics: inout DiagnosticCollector) {
        let accepted = items.enumerated().filter { !$1.entries.isEmpty && $1["error"] == nil }
        let captures = accepted.flatMap { $1["capture"]?.entries ?? [] }
        for (index, capture) in captures.enumerated() {
            let name = capture.key
            guard !captures[..<index].contains(where: { $0.key.value == name.value }) else { continue }
            for (number, item) in accepted where item["capture"]?[name.value] == nil {
                diagnostics.report(
                    .unfilledField,
                    "answer \(number + 1) does not capture '\(name.value)', which another answer does; capture it here, too",
                    at: item.entries.first?.keySpan ?? item.span, notes: [Diagnostic.Note("the other answer", at: name.location)])
            }
            let same = captures.filter { $0.key.value == name.value }
            let optional = same.first { $0.value.flag("optional") }
            filled.append(
                Filled(
                    name: name, absence: optional.map { Diagnostic.Note("it is optional here", at: $0.key.location) },
                    isURL: same.allSatisfy { ProgramCaptureReader.type(of: $0.value) == .url }))
        }
    }
}

extension ResolvedProgram.Challenge {
    /// Whether every response that another pattern fits is fitted by this one, as far as that is plain to see.
    fileprivate func covers(_ other: Self) -> Bool {
        !captures.contains(where: \.isDemanded) && (scheme == nil || scheme == other.scheme)
            && (statuses.isEmpty || !other.statuses.isEmpty && Set(statuses).isSuperset(of: other.statuses))
            && Set(headers).isSubset(of: other.headers)
    }
}
