/// Reads where a credential of version 2 is in a request.
struct ProgramPlacementReader {
    let scope: ProgramScope

    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Placement]? {
        guard let items = node?.items, !items.isEmpty else { return nil }
        var names = UniqueNames()
        var signature: DocumentNode.Entry?
        var placements: [ResolvedProgram.Placement?] = []
        for item in items {
            if let sign = item.entry("sign") {
                if let signature {
                    diagnostics.report(
                        .notExactlyOne, "a request has one signature; take this one away, or write another method",
                        at: sign.keySpan,
                        notes: [Diagnostic.Note("the other one", at: signature.key.location)])
                }
                signature = sign
                placements.append(basic(sign.value["basic"], into: &diagnostics))
            }
            for entry in item["headers"]?.entries ?? [] {
                names.check(
                    entry, "the header field '\(entry.key.value)' is attached already; names have no case", into: &diagnostics)
                placements.append(header(entry, into: &diagnostics))
            }
        }
        checkAuthorization(items, signature, into: &diagnostics)
        let whole = placements.compactMap(\.self)
        return whole.isEmpty || whole.count < placements.count ? nil : whole
    }

    /// A signature writes a field of its own.
    private func checkAuthorization(
        _ items: [DocumentNode], _ signature: DocumentNode.Entry?, into diagnostics: inout DiagnosticCollector
    ) {
        guard let signature else { return }
        for entry in items.flatMap({ $0["headers"]?.entries ?? [] }) where entry.key.value.lowercased() == "authorization" {
            diagnostics.report(
                .duplicateName, "'sign' writes '\(entry.key.value)' already", at: entry.keySpan,
                notes: [Diagnostic.Note("the other one", at: signature.key.location)])
        }
    }

    private func header(
        _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Placement? {
        let name = entry.key.value
        if Self.belongsToConnection(name.lowercased()) {
            diagnostics.report(
                .connectionHeader, "'\(name)' belongs to the message or the connection, and no method can write it",
                at: entry.keySpan)
        }
        guard TextForm.token.accepts(name), let value = template(entry.value, into: &diagnostics) else { return nil }
        return .header(name, value.resolved)
    }

    /// Whether a field, in lower case, says how a message is framed or which hop it is for (RFC 9110, sections 7.2 to 7.8 and 11.7).
    private static func belongsToConnection(_ name: String) -> Bool {
        let names: Set = ["host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer"]
        return names.contains(name) || name.hasPrefix("proxy-")
    }

    private func basic(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Placement? {
        let user = node?["user"].flatMap { template($0, into: &diagnostics) }
        let password = node?["password"].flatMap { template($0, into: &diagnostics) }
        password?.checkSecret("a password", into: &diagnostics)
        guard let user, let password else { return nil }
        return .basic(user: user.resolved, password: password.resolved)
    }

    private func template(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> LocatedProgramTemplate? {
        let template = ProgramTemplateReader(scope: scope, kinds: [.credential, .parameter]).read(node, into: &diagnostics)
        template?.checkText(isHidden: true, into: &diagnostics)
        return template
    }
}
