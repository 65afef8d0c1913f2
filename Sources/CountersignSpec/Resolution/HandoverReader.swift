/// Checks a grant that hands over to another after its first use.
enum HandoverReader {
    /// - Parameters:
    ///   - entry: The grant that may hand over.
    ///   - entries: All grants.
    ///   - grants: Those of them that could be read.
    static func check(
        _ entry: DocumentNode.Entry, among entries: [DocumentNode.Entry], grants: [ResolvedGrant],
        into diagnostics: inout DiagnosticCollector
    ) {
        guard let node = entry.value["then"], let name = node.text else { return }
        if let refresh = entry.value.entry("refresh") {
            diagnostics.report(
                .misplacedKey, "tokens are renewed by the grant that takes over, '\(name.value)'", at: refresh.keySpan)
        }
        let others = entries.filter { $0.key.value != entry.key.value }
        guard let other = others.first(where: { $0.key.value == name.value }) else {
            diagnostics.report(
                .unknownReference, "there is no other grant '\(name.value)'", at: node.span,
                meaning: name.value, among: others.map(\.key.value))
            return
        }
        guard other.value["then"] == nil else {
            diagnostics.report(
                .unknownReference, "'\(name.value)' hands over itself; name the grant that all ends in", at: node.span,
                notes: [Diagnostic.Note("here", at: other.keySpan.location)])
            return
        }
        guard let first = grants.first(where: { $0.name.value == entry.key.value }),
            let next = grants.first(where: { $0.name.value == name.value })
        else { return }
        check(first.parameters, suffice: next.parameters, at: node.span, into: &diagnostics)
    }

    /// The one struct is made of the fields of the other, by their names.
    private static func check(
        _ given: ResolvedParameters, suffice wanted: ResolvedParameters, at span: SourceSpan,
        into diagnostics: inout DiagnosticCollector
    ) {
        if let name = wanted.initialisers.first?.emptyText {
            diagnostics.report(
                .wrongType, "'\(wanted.name.value)' is made by an initialiser that throws, which nothing here could answer for",
                at: span,
                notes: [Diagnostic.Note("here", at: name.location)])
        }
        for field in wanted.fields {
            let own = given.fields.first { $0.name.value == field.name.value }
            let isNeeded = !field.isOptional && field.defaultText == nil
            let note = Diagnostic.Note("declared here", at: field.name.location)
            if let own, own.type != field.type || (own.isOptional && !field.isOptional) {
                diagnostics.report(
                    .wrongType, "'\(field.name.value)' is not the same in '\(given.name.value)' and '\(wanted.name.value)'",
                    at: span,
                    notes: [note])
            } else if own == nil, isNeeded {
                diagnostics.report(
                    .missingKey, "'\(given.name.value)' has no '\(field.name.value)', which '\(wanted.name.value)' needs", at: span,
                    notes: [note])
            }
        }
    }
}
