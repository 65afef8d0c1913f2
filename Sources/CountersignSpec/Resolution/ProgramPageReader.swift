/// Reads a login page.
struct ProgramPageReader {
    /// The values before the step.
    let scope: ProgramScope
    let generated: GeneratedValues

    /// - Parameter answers: The expected answers; `nil` if they could not be read.
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(
        _ node: DocumentNode, answers: [ResolvedProgram.Answer]?, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Page? {
        let calls = ProgramCallReader(scope: scope)
        let page = calls.page(node, into: &diagnostics)
        let form = calls.form(of: node, into: &diagnostics)
        let verifier = node["pkce"].flatMap { self.verifier($0, into: &diagnostics) }
        if let pkce = node.entry("pkce") {
            let parameters = ["query", "form"].flatMap { node[$0]?.entries ?? [] }
            for name in ["code_challenge", "code_challenge_method"] {
                ProgramFieldReader.check(parameters, without: name, by: pkce, into: &diagnostics)
            }
        }
        let push = node["push"].flatMap { calls.push($0, into: &diagnostics) }
        let redirect = node["until"]?["redirect"].flatMap { self.redirect($0, into: &diagnostics) }
        let verify = calls.expected(node["until"]?["verify"], into: &diagnostics)
        let agreed = calls.expected(node["until"]?["if-there"], into: &diagnostics)
        if let page, let verify {
            checkReturn(of: verify, sentIn: page.query, at: node["until"]?.entry("verify"), into: &diagnostics)
        }
        let alternatives = alternatives(node["instead"], without: verifier, verify: verify, into: &diagnostics)
        guard let page, let form, verifier != nil || node["pkce"] == nil, push != nil || node["push"] == nil, let redirect,
            let verify, let agreed, let answers, let alternatives
        else { return nil }
        return ResolvedProgram.Page(
            url: page.url, alternatives: alternatives, query: page.query, form: form, verifier: verifier, push: push,
            end: .redirect(slot: redirect, verify: verify, answers: answers), agreed: agreed,
            explanations: explanations(node["explain"]))
    }

    /// - Parameters:
    ///   - verifier: The code verifier of the page, which is not used for pages with their own query.
    ///   - verify: The values that must come back; `nil` if they could not be read.
    /// - Returns: `nil` if one of the pages cannot be read, which is reported.
    private func alternatives(
        _ node: DocumentNode?, without verifier: ResolvedProgram.Template?, verify: [ResolvedProgram.Member]?,
        into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Page.Alternative]? {
        let items = node?.items ?? []
        let calls = ProgramCallReader(scope: scope)
        let alternatives = items.compactMap { item -> ResolvedProgram.Page.Alternative? in
            let isOnlyEmbedded = item["only-in"] != nil
            let url = item["open"].flatMap { calls.alternative($0, into: &diagnostics) }
            if let url, !url.isOptional, !isOnlyEmbedded, let open = item["open"] {
                diagnostics.report(
                    .unreachableStep,
                    "this page can always be opened, so the page of the step is never used; refer to an optional parameter",
                    at: open.span)
            }
            let query = item["query"].map { calls.expected($0, into: &diagnostics) }
            if case .some(.none) = query { return nil }
            let own = query.flatMap(\.self)
            let isBound = verify?.contains { $0.value.slots.contains { generated.kind(of: $0) == .random } } == true
            if let own, let verify, isBound, let entry = item.entry("query") {
                let isReceived = verify.contains { member in
                    own.contains(member) && member.value.slots.contains { generated.kind(of: $0) == .random }
                }
                if !isReceived {
                    diagnostics.report(
                        .unverifiedRedirect,
                        "this page does not receive the 'random' value that 'verify' requires; add it here with the same name and text",
                        at: entry.keySpan)
                }
            }
            if own != nil, verifier != nil, !isOnlyEmbedded, let entry = item.entry("query") {
                diagnostics.report(
                    .misplacedKey,
                    "a page with its own query is not protected by 'pkce', so another application could intercept the code; add 'only-in: embedded-web-view', or remove 'query'",
                    at: entry.keySpan)
            }
            return url.map { url in
                ResolvedProgram.Page.Alternative(
                    url: url.template, isOnlyEmbedded: isOnlyEmbedded, query: own, without: own == nil ? [] : verifier?.slots ?? [])
            }
        }
        return alternatives.count == items.count ? alternatives : nil
    }

    private func explanations(_ node: DocumentNode?) -> [(status: Int, text: String)] {
        (node?.entries ?? []).compactMap { entry in
            guard let status = Int(entry.key.value), let text = entry.value.text else { return nil }
            return (status: status, text: text.value.trimmed)
        }
    }

    /// Reads a page that ends at an address, and leaves cookies.
    ///
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(
        _ node: DocumentNode, endingAt entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Page? {
        let calls = ProgramCallReader(scope: scope)
        let page = calls.page(node, into: &diagnostics)
        let end = calls.end(entry.value, into: &diagnostics)
        if let page, let end, page.url == end {
            diagnostics.report(
                .finishAtPage, "the end of the page is its own URL, so a browser could end it before it is shown",
                at: entry.value.span)
        }
        let hasCookies = scope.cookies != nil || scope.hasSessionCookies || scope.incomplete.contains(.credential)
        if !hasCookies {
            diagnostics.report(
                .misplacedKey,
                "a page with 'ends-at' sets cookies, but the credential has none; write 'cookies: private' there, or 'until' here",
                at: entry.keySpan)
        }
        let match = node.text("match").map(ResolvedProgram.Page.Match.init) ?? .exact
        let callback = node["callback"].flatMap { ResolvedCallback(reading: $0, into: &diagnostics) }
        guard let page, let end, let match, hasCookies, callback != nil || node["callback"] == nil else { return nil }
        return ResolvedProgram.Page(
            url: page.url, end: .at(end, match: match), callback: callback, explanations: explanations(node["explain"]))
    }

    /// Reads a page that the user opens on any device, perhaps to enter a code.
    ///
    /// - Parameter entry: The code, or the mark of a page without one.
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(
        _ node: DocumentNode, with entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Page? {
        let calls = ProgramCallReader(scope: scope)
        let page = calls.page(node, into: &diagnostics)
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps, refusal: "there would be no code to type")
        let needsCode = entry.key.value == "code"
        let code = needsCode ? reader.read(entry.value, into: &diagnostics) : nil
        code?.checkText(isHidden: false, into: &diagnostics)
        let complete = node["complete"].flatMap { calls.alternative($0, into: &diagnostics)?.template }
        let lifetime = ProgramTimeReader(scope: scope).read(node.entry("lifetime"), into: &diagnostics)
        guard let page, code != nil || !needsCode, complete != nil || node["complete"] == nil,
            lifetime != nil || node["lifetime"] == nil
        else { return nil }
        return ResolvedProgram.Page(
            url: page.url, end: .userCode(.init(text: code?.resolved, complete: complete, lifetime: lifetime)))
    }

    private func verifier(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Template? {
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps, refusal: "a page needs its hash")
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        guard let reference = template.loneReference, case .slot(let slot) = reference.piece, generated.kind(of: slot) == .pkce
        else {
            diagnostics.report(
                .wrongType, "'pkce' must be a whole reference to a 'pkce' value of 'generate', such as \"{verifier}\"",
                at: template.loneReference?.span ?? node.span)
            return nil
        }
        return template.resolved
    }

    private func redirect(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> Int? {
        let reader = ProgramTemplateReader(
            scope: scope, kinds: scope.kindsInSteps, refusal: "a page needs a redirect URL; make it required, or give it a default")
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        return template.slot(
            orReport: "'redirect' must be a whole reference to a parameter of type 'url', such as \"{redirectURL}\"",
            into: &diagnostics
        ) { $0.kind == .parameter && $0.type == .url }
    }

    /// Reports a page without a `random` value of this login that must come back, or one that does not receive this value.
    private func checkReturn(
        of verify: [ResolvedProgram.Member], sentIn query: [ResolvedProgram.Member], at entry: DocumentNode.Entry?,
        into diagnostics: inout DiagnosticCollector
    ) {
        guard let entry else { return }
        let bound = verify.filter { $0.value.slots.contains { generated.kind(of: $0) == .random } }
        guard !bound.isEmpty else {
            diagnostics.report(
                .unverifiedRedirect,
                "the redirect of another login would be accepted; generate a 'random' value, send it in 'query' as 'state', and add it here",
                at: entry.keySpan)
            return
        }
        let received = bound.filter { member in query.contains { $0 == member || $0.value.hasInQuery(member) } }
        if received.isEmpty {
            diagnostics.report(
                .unverifiedRedirect,
                "the page does not receive the 'random' value that 'verify' requires; add it to 'query' with the same name and text",
                at: entry.keySpan)
        } else if !received.contains(where: { $0.value.slots.allSatisfy(isAlwaysThere) }) {
            diagnostics.report(
                .unverifiedRedirect,
                "if a part of the text with the 'random' value is absent, the text is not verified, and the redirect of another login would be accepted; use a text without optional parts",
                at: entry.keySpan)
        }
    }

    private func isAlwaysThere(_ slot: Int) -> Bool {
        guard let value = scope.values.first(where: { $0.slot == slot }) else { return true }
        if case .sometimes = scope.presence(of: value) { return false }
        return true
    }
}

extension DocumentNode {
    /// The entry by which a page is shown while the next step polls the server; `nil` for other pages.
    var pollingEntry: Entry? { entry("code") ?? entry("polled") }
}

extension ResolvedProgram.Template {
    /// Whether the text is a URL whose query has the member, such as the address to which a server returns.
    fileprivate func hasInQuery(_ member: ResolvedProgram.Member) -> Bool {
        // A longer text would have to be encoded once more.
        guard case .text(let name)? = member.name.pieces.first, member.name.pieces.count == 1, member.value.pieces.count == 1 else {
            return false
        }
        return pieces.indices.dropFirst().contains { index in
            guard pieces[index] == member.value.pieces[0], case .text(let start) = pieces[index - 1],
                start.hasSuffix("?\(name)=") || start.hasSuffix("&\(name)=")
            else { return false }
            guard index + 1 < pieces.count else { return true }
            if case .text(let rest) = pieces[index + 1] { return rest.hasPrefix("&") || rest.hasPrefix("#") }
            return false
        }
    }
}
