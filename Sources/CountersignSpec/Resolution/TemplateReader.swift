/// Reads the `{references}` in a text of settings.
struct TemplateReader {
    /// The fields to which `{settings.name}` can refer; `nil` if they could not be read. References are then not reported.
    let settings: FieldScope?

    /// - Returns: `nil` if the text has a mistake, which is reported here or has been before.
    func read(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> LocatedTemplate? {
        guard let text = node.text,
            let tokens = TemplateTokenizer.tokens(of: text.value, naming: names, at: node, into: &diagnostics)
        else { return nil }
        var pieces: [LocatedTemplate.Piece] = []
        var isWhole = true
        for token in tokens {
            switch token {
            case .text(let text, let span): pieces.append(LocatedTemplate.Piece(.text(text), field: nil, span: span))
            case .reference(let name, let span):
                if let piece = piece(name, span: span, into: &diagnostics) { pieces.append(piece) } else { isWhole = false }
            }
        }
        return isWhole ? LocatedTemplate(text: text, pieces: pieces, span: node.span) : nil
    }

    /// The names to which references can refer.
    private var names: [String] { (settings?.names ?? []).map { Self.prefix + $0 } }

    private static let prefix = "settings."

    private func piece(
        _ reference: String, span: SourceSpan, into diagnostics: inout DiagnosticCollector
    ) -> LocatedTemplate.Piece? {
        guard let settings else { return nil }
        let isPrefixed = reference.hasPrefix(Self.prefix)
        let name = isPrefixed ? String(reference.dropFirst(Self.prefix.count)) : reference
        guard isPrefixed, let field = settings[name] else {
            let meant = Self.prefix + name
            diagnostics.report(
                .unknownReference,
                isPrefixed ? "the settings have no field '\(name)'" : "here, a reference begins with 'settings.'",
                at: span, suggestion: names.contains(meant) ? meant : Suggestion.nearest(to: meant, among: names))
            return nil
        }
        return field.type.map { LocatedTemplate.Piece(.settings(name, $0), field: field, span: span) }
    }
}
