/// Reads the flow of a method.
struct FlowReader {
    let templates: TemplateReader
    /// The cases that steps can name; `nil` if they could not be read.
    let errors: ErrorScope?

    /// A flow as far as it could be read.
    struct Reading: Sendable {
        let busy: Located<String>?
        let invalidArgument: Located<String>?
        let authenticate: [ResolvedStep]
        let afterResend: [ResolvedStep]
    }

    /// - Returns: `nil` if a step cannot be read whole.
    func read(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> Reading? {
        guard let node, case .mapping = node.content else { return nil }
        let busy = errorCase(node["busy"], carrying: .nothing, into: &diagnostics)
        let invalidArgument = errorCase(node["invalid-argument"], carrying: .detail, into: &diagnostics)
        let authenticate = steps(node["authenticate"], into: &diagnostics)
        let afterResend = node["after-resend"].map { steps($0, into: &diagnostics) } ?? []
        for case .fail(let name) in authenticate ?? [] {
            diagnostics.report(
                .neverSucceeds, "a flow with 'fail' never succeeds; 'fail' belongs under 'after-resend'", at: name.span)
        }
        guard let authenticate, let afterResend else { return nil }
        return Reading(busy: busy, invalidArgument: invalidArgument, authenticate: authenticate, afterResend: afterResend)
    }

    private func steps(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedStep]? {
        guard let node, case .list(let items) = node.content else { return nil }
        if let end = items.firstIndex(where: { $0["fail"] != nil }), end + 1 < items.count {
            diagnostics.report(
                .unreachableStep, "this step is never reached", at: items[end + 1].entries.first?.keySpan ?? items[end + 1].span,
                notes: [Diagnostic.Note("the flow ends here", at: items[end].span.location)])
        }
        let steps = items.map { step($0, into: &diagnostics) }
        let whole = steps.compactMap(\.self)
        return whole.count == steps.count ? whole : nil
    }

    private func step(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedStep? {
        if let fail = node["fail"] { return errorCase(fail, carrying: .nothing, into: &diagnostics).map { .fail($0) } }
        let failures = failures(node["fails"], into: &diagnostics)
        guard let present = node["present"] else { return nil }
        let allowsHTTP = present.flag("allow-http")
        let page = url(present["url"], allowsHTTP: allowsHTTP, into: &diagnostics)
        let end = url(present["finish"]?["at"], allowsHTTP: allowsHTTP, into: &diagnostics)
        let match = present["finish"]?.text("match").map(ResolvedPresent.FinishMatch.init(rawValue:)) ?? .exact
        guard let page, let end, let match, let failures else { return nil }
        return .present(ResolvedPresent(location: node.span.location, url: page, finish: end, match: match, failures: failures))
    }

    private func url(
        _ node: DocumentNode?, allowsHTTP: Bool, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedTemplate? {
        guard let node, let template = templates.read(node, into: &diagnostics) else { return nil }
        template.checkURL(allowsHTTP: allowsHTTP, into: &diagnostics)
        return template.resolved
    }

    private func failures(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> [(failure: ResolvedPresent.PresentFailure, errorCase: Located<String>)]? {
        let entries = node?.entries ?? []
        var failures: [(failure: ResolvedPresent.PresentFailure, errorCase: Located<String>)] = []
        for entry in entries {
            guard let failure = ResolvedPresent.PresentFailure(rawValue: entry.key.value) else { continue }
            if let name = errorCase(entry.value, carrying: failure == .load ? .error : .nothing, into: &diagnostics) {
                failures.append((failure, name))
            }
        }
        return failures.count == entries.count ? failures : nil
    }

    private func errorCase(
        _ node: DocumentNode?, carrying expected: ErrorScope.Use, into diagnostics: inout DiagnosticCollector
    ) -> Located<String>? {
        guard let node, let name = node.text else { return nil }
        errors?.check(name, at: node.span, for: expected, into: &diagnostics)
        return name
    }
}
