/// Reads the flow and the grants of a method.
struct FlowReader {
    let templates: TemplateReader
    /// The cases that steps can name; `nil` if they could not be read.
    let errors: ErrorScope?
    /// Whether the grants have the steps.
    let hasGrants: Bool
    /// Whether the application gives the credential.
    let isOfApplication: Bool

    /// A flow as far as it could be read.
    struct Reading: Sendable {
        var busy: Located<String>?
        var invalidArgument: Located<String>?
        var authenticate: [ResolvedStep] = []
        var afterResend: [ResolvedStep] = []
    }

    /// - Returns: `nil` if a step cannot be read whole.
    func read(_ node: DocumentNode?, at root: SourceSpan, into diagnostics: inout DiagnosticCollector) -> Reading? {
        guard let node, case .mapping = node.content else { return nil }
        let kind = isOfApplication ? StepReader.Kind.credential : .cookies
        var reader = StepReader(templates: templates, errors: errors, fields: nil, kind: kind)
        let busy = reader.errorCase(node["busy"], carrying: .nothing, into: &diagnostics)
        let invalidArgument = reader.errorCase(node["invalid-argument"], carrying: .detail, into: &diagnostics)
        if let entry = node.entry("authenticate"), hasGrants {
            diagnostics.report(.misplacedKey, "the steps of a method with grants stand under its 'grants'", at: entry.keySpan)
        } else if node["authenticate"] == nil, !hasGrants {
            diagnostics.report(.missingKey, "a flow needs the key 'authenticate'", at: root)
        }
        let authenticate = hasGrants ? [] : reader.steps(node["authenticate"], into: &diagnostics)
        checkSuccess(authenticate, into: &diagnostics)
        reader.isAfterResend = true
        let afterResend = node["after-resend"].map { reader.steps($0, into: &diagnostics) } ?? []
        if isOfApplication { checkCredential(node, authenticate, afterResend, at: root, into: &diagnostics) }
        if !isOfApplication, let steps = afterResend, let first = node["after-resend"]?.items.first {
            // What is refused as soon as it is used is replaced by nothing.
            let failures = steps.count { if case .fail = $0 { true } else { false } }
            // What stands behind a failure is reported as that.
            if failures == 0 || steps.count > failures {
                let kind = hasGrants ? "a method with grants" : "a method with session cookies"
                diagnostics.report(.misplacedKey, "'after-resend' of \(kind) is one 'fail'", at: first.span)
            }
        }
        guard let authenticate, let afterResend else { return nil }
        return Reading(busy: busy, invalidArgument: invalidArgument, authenticate: authenticate, afterResend: afterResend)
    }

    /// The steps to a credential of the application's ask for it, and say what becomes of one that is refused.
    private func checkCredential(
        _ node: DocumentNode, _ authenticate: [ResolvedStep]?, _ afterResend: [ResolvedStep]?, at root: SourceSpan,
        into diagnostics: inout DiagnosticCollector
    ) {
        for key in ["busy", "invalid-argument"] {
            guard let entry = node.entry(key) else { continue }
            diagnostics.report(.misplacedKey, "'\(key)' is for methods that can be run directly", at: entry.keySpan)
        }
        if let authenticate, !authenticate.contains(where: { if case .ask = $0 { true } else { false } }) {
            diagnostics.report(
                .neverSucceeds, "nothing asks the application for its credential; add 'ask: credential'",
                at: node.entry("authenticate")?.keySpan ?? root)
        }
        guard let afterResend else { return }
        guard case .fail? = afterResend.last else {
            diagnostics.report(
                .missingKey, "'after-resend' ends in 'fail': a credential can be refused for good",
                at: node.entry("after-resend")?.keySpan ?? root)
            return
        }
    }

    /// - Parameter structs: The parameter structs that grants can name, as far as they could be read.
    /// - Returns: `nil` if a grant cannot be read whole.
    func grants(
        _ node: DocumentNode?, structs: [ParametersReader.Reading], into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedGrant]? {
        let entries = node?.entries ?? []
        let grants = entries.compactMap { grant($0, structs: structs, into: &diagnostics) }
        for entry in entries { HandoverReader.check(entry, among: entries, grants: grants, into: &diagnostics) }
        return grants.count == entries.count ? grants : nil
    }

    private func grant(
        _ entry: DocumentNode.Entry, structs: [ParametersReader.Reading], into diagnostics: inout DiagnosticCollector
    ) -> ResolvedGrant? {
        guard let name = entry.value["parameters"], let text = name.text else { return nil }
        guard let reading = structs.first(where: { $0.name.value == text.value }) else {
            diagnostics.report(
                .unknownReference, "there is no parameter struct '\(text.value)'", at: name.span,
                meaning: text.value, among: structs.map(\.name.value))
            return nil
        }
        func steps(_ key: String, slots: [FlowSlot]) -> [ResolvedStep]? {
            guard let node = entry.value[key] else { return key == "refresh" ? [] : nil }
            var reader = StepReader(
                templates: TemplateReader(references: .parameters(reading.scope), slots: slots), errors: errors,
                fields: reading.scope, kind: .token, client: entry.value["client"])
            let steps = reader.steps(node, into: &diagnostics)
            checkSuccess(steps, into: &diagnostics)
            if let steps { checkToken(steps, at: entry.value.entry(key)?.keySpan ?? node.span, into: &diagnostics) }
            return steps
        }
        let authenticate = steps("authenticate", slots: [])
        let refresh = steps("refresh", slots: [.accessToken, .refreshToken])
        guard let authenticate, let refresh, let parameters = reading.parameters else { return nil }
        return ResolvedGrant(
            name: entry.key, parameters: parameters, labels: entry.value.texts("labels", as: .memberName),
            authenticate: authenticate, refresh: refresh, next: entry.value["then"]?.text,
            life: entry.value.text("within", as: .duration))
    }

    /// The last step, and only that, brings the token.
    private func checkToken(_ steps: [ResolvedStep], at span: SourceSpan, into diagnostics: inout DiagnosticCollector) {
        let requests = steps.indices.filter { if case .request = steps[$0] { true } else { false } }
        guard requests != [steps.count - 1] else { return }
        diagnostics.report(.neverSucceeds, "the steps to a token end in their one 'request', which brings it", at: span)
    }

    private func checkSuccess(_ steps: [ResolvedStep]?, into diagnostics: inout DiagnosticCollector) {
        for case .fail(let name) in steps ?? [] {
            diagnostics.report(
                .neverSucceeds, "a flow with 'fail' never succeeds; 'fail' belongs under 'after-resend'", at: name.span)
        }
    }
}
