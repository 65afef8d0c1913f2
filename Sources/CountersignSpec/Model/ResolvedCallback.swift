/// A callback URL by which another application continues a waiting page.
package struct ResolvedCallback: Sendable {
    package var schemeEnding: String
    package var host: String
    package var path: String
    /// The application from which the callback must come.
    package var application: String
    /// The name in the query under which that application identifies itself.
    package var source: String?
    /// The query names in the callback, each with its name in the page's query.
    package var query: [(name: Located<String>, pageName: String)]
}

extension ResolvedCallback {
    /// Reads the callback URL. Each name of the page's query is set at most once.
    ///
    /// - Returns: `nil` if something is missing, which is reported.
    init?(reading node: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        let entries = node["query"]?.entries ?? []
        var pageNames: [String: SourceLocation] = [:]
        for entry in entries {
            guard let name = entry.value.text else { continue }
            if let first = pageNames.updateValue(name.location, forKey: name.value) {
                diagnostics.report(
                    .duplicateName, "the page's query already has '\(name.value)'", at: entry.value.span,
                    notes: [Diagnostic.Note("the other one", at: first)])
            }
        }
        let query = entries.compactMap { entry in entry.value.text.map { (name: entry.key, pageName: $0.value) } }
        guard let ending = node.text("scheme-ending"), let host = node.text("host"), let path = node.text("path"),
            let application = node.text("application"), query.count == entries.count, !query.isEmpty
        else { return nil }
        self.init(
            schemeEnding: ending, host: host, path: path, application: application, source: node.text("source"), query: query)
    }
}
