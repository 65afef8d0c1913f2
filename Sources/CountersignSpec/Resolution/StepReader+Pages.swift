extension StepReader {
    /// The pages of a `present` step: the one that can always be opened, and those before it that sometimes can.
    typealias Pages = (alternatives: [ResolvedPage], last: ResolvedTemplate)

    /// - Returns: `nil` if one of them cannot be read.
    func pages(_ node: DocumentNode?, allowsHTTP: Bool, into diagnostics: inout DiagnosticCollector) -> Pages? {
        guard let node else { return nil }
        guard case .mapping = node.content else {
            return url(node, allowsHTTP: allowsHTTP, into: &diagnostics).map { ([], $0) }
        }
        guard let items = node["first-of"]?.items, let last = items.last else { return nil }
        let alternatives = items.dropLast().map { page($0, allowsHTTP: allowsHTTP, into: &diagnostics) }
        if case .mapping = last.content {
            diagnostics.report(
                .wrongShape, "the last page is opened where none before it can be, so it is a URL alone", at: last.span)
            return nil
        }
        let end = url(last, allowsHTTP: allowsHTTP, into: &diagnostics)
        let whole = alternatives.compactMap(\.self)
        guard let end, whole.count == alternatives.count else { return nil }
        return (whole, end)
    }

    private func page(
        _ node: DocumentNode, allowsHTTP: Bool, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedPage? {
        let isMapping = if case .mapping = node.content { true } else { false }
        guard let place = isMapping ? node["url"] : node, let template = templates.read(place, into: &diagnostics) else {
            return nil
        }
        template.checkIsOfParameters(into: &diagnostics)
        let isOnlyEmbedded = isMapping && node["only-in"] != nil
        let isOptional = template.loneReference?.field?.isOptional == true && template.loneReference?.type == .url
        if !isOptional {
            template.checkURL(allowsHTTP: allowsHTTP, into: &diagnostics)
            if !isOnlyEmbedded {
                diagnostics.report(
                    .unreachableStep, "this page can always be opened, so those after it never are; make it an optional field",
                    at: place.span)
            }
        }
        guard isMapping else {
            return ResolvedPage(url: template.resolved, isOnlyEmbedded: false, query: nil, without: [])
        }
        let query = node["query"].map { named($0, isHidden: false, into: &diagnostics) }
        if case .some(.none) = query { return nil }
        if let entry = node.entry("query"), let values = query.flatMap(\.self) {
            checkState(values, sentBy: entry, into: &diagnostics)
            checkProofKey(values, into: &diagnostics)
        }
        let without = (node["without"]?.items ?? []).compactMap { generated($0, into: &diagnostics) }
        return ResolvedPage(
            url: template.resolved, isOnlyEmbedded: isOnlyEmbedded, query: query.flatMap(\.self), without: without)
    }

    /// What has to come back has to be sent.
    private func checkState(
        _ query: [NamedTemplate], sentBy entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) {
        guard templates.slots.contains(.state), !query.contains(where: { $0.value.pieces.contains(.slot(.state)) }) else { return }
        diagnostics.report(
            .unverifiedRedirect, "this query takes the place of the step's, and sends no state that could come back",
            at: entry.keySpan)
    }

    /// The proof key's challenge is a hash, which its server has to know.
    func checkProofKey(_ query: [NamedTemplate], into diagnostics: inout DiagnosticCollector) {
        guard let challenge = query.first(where: { $0.value.pieces.contains(.slot(.codeChallenge)) }) else { return }
        let method = query.first { $0.name.value == "code_challenge_method" }
        guard method?.value.text != "S256" else { return }
        diagnostics.report(
            .proofKeyMethod, "'{generated.code_challenge}' is a hash: send 'code_challenge_method: S256' beside it",
            at: (method ?? challenge).name.span)
    }

    private func generated(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedStep.Generated? {
        guard let word = node.text, word.value == ResolvedStep.Generated.codeVerifier.rawValue else { return nil }
        guard templates.slots.contains(.codeVerifier) else {
            diagnostics.report(.unknownReference, "no earlier step generates '\(word.value)'", at: node.span)
            return nil
        }
        return .codeVerifier
    }
}
