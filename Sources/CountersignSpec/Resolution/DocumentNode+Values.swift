extension DocumentNode {
    /// Returns a key's text if it has this form. Texts of another form have been reported by the shape check.
    func text(_ key: String, as form: TextForm) -> Located<String>? {
        guard let text = self[key]?.text, form.accepts(text.value) else { return nil }
        return text
    }

    /// Returns a key's text of any form.
    func text(_ key: String) -> String? { self[key]?.text?.value }

    /// Whether the value of a key is `true`.
    func flag(_ key: String) -> Bool { text(key) == "true" }

    /// Whether the value of a parameter identifies a stored credential.
    var identifies: Bool { text("identifies") != "false" }

    /// Returns a key's texts, if it is a list of texts of this form.
    func texts(_ key: String, as form: TextForm) -> [Located<String>] {
        (self[key]?.items ?? []).compactMap(\.text).filter { form.accepts($0.value) }
    }

    /// Returns the numbers under the key `status`. Invalid ones have been reported by the shape check.
    func statuses(into diagnostics: inout DiagnosticCollector) -> [Int] {
        guard let status = self["status"] else { return [] }
        let nodes = status.text == nil ? status.items : [status]
        var statuses: [Int] = []
        for node in nodes {
            guard let number = node.text?.value.strictInteger else { continue }
            if statuses.contains(number) {
                diagnostics.report(.duplicateName, "the status \(number) is in the list already", at: node.span)
            }
            statuses.append(number)
        }
        return statuses
    }

    /// The summary and discussion; an absent summary has been reported.
    var documentation: Documentation {
        Documentation(summary: text("summary")?.trimmed ?? "", discussion: text("discussion")?.trimmed)
    }
}

extension String {
    /// The text without white space at both ends, since block scalars end in a line break.
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension DocumentNode {
    /// The type of a field; `nil` if it is not valid.
    var fieldType: FieldType? { text("type").flatMap(FieldType.init) }
}
