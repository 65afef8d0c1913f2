/// Reads the `{references}` of a text of a discovery, or of one that is made of settings.
struct TemplateReader {
    /// What references can name. `nil` if that could not be read: then references are taken as they are, without another message.
    enum References: Sendable {
        /// `{name}`: a field of the discovery's parameters.
        case parameters(FieldScope?)
        /// `{settings.name}`: a field of the landscape's settings.
        case settings(FieldScope?)
    }

    let references: References
    /// What earlier steps have left.
    var slots: [FlowSlot] = []

    /// - Returns: `nil` if something in it is wrong; that is reported here or has been before.
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

    /// What references can name.
    private var names: [String] {
        switch references {
        case .parameters(let scope): (scope?.names ?? []) + slots.map(\.reference)
        case .settings(let scope): (scope?.names ?? []).map { Self.settingsPrefix + $0 }
        }
    }

    private static let settingsPrefix = "settings."

    private func piece(
        _ reference: String, span: SourceSpan, into diagnostics: inout DiagnosticCollector
    ) -> LocatedTemplate.Piece? {
        let prefix = Self.settingsPrefix
        switch references {
        case .parameters(let scope):
            if reference.hasPrefix(prefix) {
                diagnostics.report(
                    .unknownReference, "the settings can be referred to only under 'from'; here, refer to a parameter",
                    at: span)
                return nil
            }
            if let slot = slots.first(where: { $0.reference == reference }) {
                return LocatedTemplate.Piece(.slot(slot), field: nil, span: span)
            }
            guard let scope else { return nil }
            guard let field = scope[reference] else {
                diagnostics.report(
                    .unknownReference, complaint(reference), at: span,
                    meaning: reference, among: names)
                return nil
            }
            return field.type.map { LocatedTemplate.Piece(.parameter(reference, $0), field: field, span: span) }
        case .settings(let scope):
            guard let scope else { return nil }
            let name = reference.hasPrefix(prefix) ? String(reference.dropFirst(prefix.count)) : reference
            guard reference.hasPrefix(prefix), let field = scope[name] else {
                let meant = prefix + name
                diagnostics.report(
                    .unknownReference,
                    reference.hasPrefix(prefix)
                        ? "the settings have no field '\(name)'" : "here, a reference begins with 'settings.'",
                    at: span, suggestion: names.contains(meant) ? meant : Suggestion.nearest(to: meant, among: names))
                return nil
            }
            return field.type.map { LocatedTemplate.Piece(.settings(name, $0), field: field, span: span) }
        }
    }

    private func complaint(_ reference: String) -> String {
        for (prefix, what) in [("generated.", "generates"), ("captured.", "captures")] where reference.hasPrefix(prefix) {
            return "no earlier step \(what) '\(reference.dropFirst(prefix.count))'"
        }
        if reference.hasPrefix("identity.") { return "there is no '\(reference)' here; an identity is there under 'retire'" }
        return "the parameters have no field '\(reference)'"
    }
}
