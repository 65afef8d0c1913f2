/// Reads the fields of the credential that responses replace.
struct ProgramUpdateReader {
    let scope: ProgramScope
    let fields: [ProgramCredentialReader.Field]
    /// The placement of the credential in requests.
    let attach: DocumentNode?

    /// - Returns: `nil` if one of the updates cannot be read, which is reported.
    func read(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Update]? {
        let entries = node?.entries ?? []
        let updates = entries.compactMap { entry -> ResolvedProgram.Update? in
            let source = source(entry.value, into: &diagnostics)
            guard let slot = slot(of: entry, into: &diagnostics), let source else { return nil }
            return ResolvedProgram.Update(slot: slot, source: source)
        }
        return updates.count == entries.count ? updates : nil
    }

    private func source(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Update.Source? {
        if let cookie = node.text("cookie", as: .token) { return .cookie(cookie.value) }
        let names =
            node["header"]?.text == nil ? node.texts("header", as: .token) : [node.text("header", as: .token)].compactMap(\.self)
        if let name = names.first(where: { $0.value.lowercased() == "set-cookie" }) {
            diagnostics.report(.misplacedKey, "the value of a cookie is captured by its name; write 'cookie'", at: name.span)
            return nil
        }
        return names.isEmpty ? nil : .headers(names.map(\.value))
    }

    /// Returns the slot of a field that responses can replace.
    private func slot(of entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) -> Int? {
        let name = entry.key.value
        // The access token of a standard token, and the cookies, are no fields.
        let fields = fields.filter { !$0.isToken && $0.type != .cookies }
        guard let field = fields.first(where: { $0.entry.key.value == name }) else {
            guard !scope.incomplete.contains(.credential) else { return nil }
            diagnostics.report(
                .unknownReference, "the credential has no field '\(name)'", at: entry.keySpan, meaning: name,
                among: fields.map(\.entry.key.value))
            return nil
        }
        guard let type = field.type else { return nil }
        let note = [Diagnostic.Note("declared here", at: field.entry.key.location)]
        guard type == .string || type == .secret else {
            diagnostics.report(
                .wrongType, "responses can only replace texts and secrets, and '\(name)' is a '\(type.rawValue)'",
                at: entry.keySpan,
                notes: note)
            return nil
        }
        if let from = field.entry.value.entry("from") {
            diagnostics.report(
                .filledTwice, "'\(name)' has the value of 'from'; remove that, and set the field in a step", at: entry.keySpan,
                notes: [Diagnostic.Note("the value", at: from.key.location)])
        }
        if field.entry.value.text("place") == "store" {
            diagnostics.report(
                .misplacedKey, "no request carries '\(name)', so no response to one can replace it; remove 'place: store'",
                at: entry.keySpan, notes: note)
        }
        let names = (attach?.items ?? []).flatMap { $0["headers"]?.entries ?? [] }
        if names.contains(where: { $0.key.value.contains("{credential.\(name)}") }) {
            diagnostics.report(
                .misplacedKey, "'\(name)' is the name of a header field, which only a login can choose", at: entry.keySpan,
                notes: note)
        }
        return scope.slot(of: name, .credential)
    }
}
