// The parts of login pages: their URLs, queries, forms and pushed authorization requests.

extension ProgramCallReader {
    /// Reads a login page, without its end and its answers.
    ///
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func page(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> (
        url: ResolvedProgram.Template, query: [ResolvedProgram.Member]
    )? {
        let url = node["open"].flatMap { address($0, of: "a page", into: &diagnostics) }
        let query = members(node["query"], isHidden: false, into: &diagnostics)
        guard let url, let query else { return nil }
        return (url, query)
    }

    /// Reads the form with which a browser requests a page.
    ///
    /// - Parameter page: The page.
    /// - Returns: Its fields in addition to the query; `nil` if one of them is wrong, which is reported.
    func form(of page: DocumentNode, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Member]? {
        guard let form = page.entry("form") else { return [] }
        for other in ["push", "instead"].compactMap({ page.entry($0) }) {
            diagnostics.report(
                .misplacedKey,
                "a page of '\(other.key.value)' is opened by its URL alone; remove 'form' or '\(other.key.value)'",
                at: form.keySpan,
                notes: [Diagnostic.Note("the other one", at: other.key.location)])
        }
        for entry in form.value.entries {
            guard let item = page["query"]?.entry(entry.key.value) else { continue }
            diagnostics.report(
                .duplicateName, "the form has the query, too, which already sets '\(entry.key.value)'", at: entry.keySpan,
                notes: [Diagnostic.Note("the other one", at: item.key.location)])
        }
        return members(form.value, isHidden: true, isInBrowser: true, into: &diagnostics)
    }

    /// Reads a page that replaces another one.
    ///
    /// - Returns: `nil` if it cannot be read; that is reported.
    func alternative(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> (template: ResolvedProgram.Template, isOptional: Bool)? {
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps)
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        template.checkText(isHidden: false, into: &diagnostics)
        check(template, of: "a page", into: &diagnostics)
        return (template.resolved, template.absence(in: scope) != nil)
    }

    /// Reads the address that ends a page.
    ///
    /// - Returns: `nil` if it cannot be read; that is reported.
    func end(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Template? {
        address(node, of: "the end of a page", into: &diagnostics)
    }

    /// Reads named values of a query, such as those that must come back.
    ///
    /// - Returns: `nil` if one of them is wrong.
    func expected(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Member]? {
        members(node, isHidden: false, into: &diagnostics)
    }

    /// Reads the pushed authorization request of a page.
    ///
    /// - Returns: `nil` if it cannot be read; that is reported.
    func push(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Page.Push? {
        let url = node["to"].flatMap { alternative($0, into: &diagnostics)?.template }
        let client = node["client"].flatMap { self.client($0, isShown: true, into: &diagnostics) }
        let fields = ProgramFieldReader(scope: scope, kinds: scope.kindsInSteps)
        let proof = node["sign"]?["dpop"].flatMap { fields.proof($0, into: &diagnostics) }
        guard let url, let client, proof != nil || node["sign"] == nil else { return nil }
        return ResolvedProgram.Page.Push(url: url, client: client, proof: proof)
    }
}
