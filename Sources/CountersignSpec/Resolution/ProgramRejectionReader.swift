/// Reads the rules for challenges to requests with the credential.
struct ProgramRejectionReader {
    /// The challenges of the method; `nil` if they could not be read.
    let challenges: [ResolvedProgram.Challenge]?
    /// The place of the challenges.
    let place: SourceLocation?
    let fields: [ProgramCredentialReader.Field]
    /// Whether the method has steps for a renewal.
    let renews: Bool
    /// The error cases that rules can name.
    let errors: ErrorScope

    /// - Returns: `nil` if one of the rules cannot be read, which is reported.
    func read(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Rejection]? {
        guard let node else { return [] }
        var taken: [String?: SourceLocation] = [:]
        let rejections = node.items.compactMap { item -> ResolvedProgram.Rejection? in
            let challenge = item["challenge"]?.text
            if let challenge { checkName(challenge, into: &diagnostics) }
            if let first = taken[nil] ?? taken[challenge?.value] {
                diagnostics.report(
                    .unreachableStep, "a rule above already applies to these challenges; put this one before it, or remove one",
                    at: challenge?.span ?? item.entries.first?.keySpan ?? item.span,
                    notes: [Diagnostic.Note("the rule above", at: first)])
            } else {
                taken[challenge?.value] = item.span.location
            }
            let error = item["error"].flatMap { node in
                node.text.map { name in
                    errors.check(name, at: node.span, for: .nothing, into: &diagnostics)
                    return name
                }
            }
            guard let actions = actions(item["then"], for: challenge, into: &diagnostics) else { return nil }
            checkAnswer(of: item, actions, into: &diagnostics)
            if let keep = item.entry("keep"), actions != [.acquire] || fields.isEmpty || fields.contains(where: \.isToken) {
                diagnostics.report(
                    .misplacedKey,
                    "'keep' is only valid with 'then: [acquire]' and a credential with 'fields'", at: keep.keySpan)
            }
            return ResolvedProgram.Rejection(
                challenge: challenge?.value, actions: actions, retries: item.text("retry").flatMap(\.strictInteger) ?? 0,
                keepsCredential: item.flag("keep"), error: error)
        }
        return rejections.isEmpty || rejections.count < node.items.count ? nil : rejections
    }

    /// Reports keys without a meaning in a rule without actions, whose credential stays valid.
    private func checkAnswer(
        of rule: DocumentNode, _ actions: [ResolvedProgram.Rejection.Action], into diagnostics: inout DiagnosticCollector
    ) {
        guard actions.isEmpty else { return }
        if let retry = rule.entry("retry") {
            diagnostics.report(.misplacedKey, "'retry' is only valid with 'then'", at: retry.keySpan)
        }
        if fields.allSatisfy({ $0.type == .cookies }) || fields.contains(where: \.isToken) {
            diagnostics.report(
                .misplacedKey, "a rule without 'then' is only valid with a credential with 'fields'",
                at: rule.entries.first?.keySpan ?? rule.span)
        }
    }

    private func checkName(_ name: Located<String>, into diagnostics: inout DiagnosticCollector) {
        guard let names = challenges?.map(\.name.value), !names.contains(name.value) else { return }
        if let place, diagnostics.reportReplacement(of: "the challenge '\(name.value)'", at: name.span, by: place) { return }
        diagnostics.report(
            .unknownReference, "there is no challenge '\(name.value)'", at: name.span, meaning: name.value, among: names)
    }

    private func actions(
        _ node: DocumentNode?, for challenge: Located<String>?, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Rejection.Action]? {
        guard let node else { return [] }
        let items = node.items
        guard let first = items.first else { return nil }
        let actions = items.compactMap { $0.text.flatMap { ResolvedProgram.Rejection.Action(rawValue: $0.value) } }
        guard actions.count == items.count else { return nil }
        if items.count > 1, actions != [.renew, .acquire] {
            diagnostics.report(
                .notExactlyOne,
                "unsupported combination of actions; write '[resend]', '[renew]', '[acquire]', or '[renew, acquire]'",
                at: items[1].span)
        }
        if actions.first == .resend { checkResend(at: first.span, for: challenge, into: &diagnostics) }
        if let place = actions.firstIndex(of: .renew), !renews {
            diagnostics.report(
                .unknownReference, "there are no steps for 'renew'; add them under 'renew', or remove the word",
                at: items[place].span)
        }
        return actions
    }

    /// Reports `resend` for a challenge without a new value for the credential.
    private func checkResend(
        at span: SourceSpan, for challenge: Located<String>?, into diagnostics: inout DiagnosticCollector
    ) {
        guard let challenges, fields.allSatisfy({ $0.value != nil || !$0.hasValue }) else { return }
        let sources = Set(fields.flatMap { $0.value?.resolved.slots ?? [] })
        for other in challenges where challenge == nil || other.name.value == challenge?.value {
            guard !other.captures.contains(where: { sources.contains($0.slot) }) else { continue }
            if let field = fields.first(where: { !$0.hasValue }) {
                diagnostics.report(
                    .nothingToResend,
                    "'resend' runs no steps, but '\(field.entry.key.value)' has no 'from'; write '[acquire]', which sets it again",
                    at: span, notes: [Diagnostic.Note("declared here", at: field.entry.key.location)])
                return
            }
            diagnostics.report(
                .nothingToResend,
                "the same credential would be sent again: none of its fields has a 'from' with a value of '\(other.name.value)'",
                at: span, notes: [Diagnostic.Note("this challenge", at: other.name.location)])
            return
        }
    }
}
