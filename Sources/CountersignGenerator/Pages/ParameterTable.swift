import CountersignSpec

/// The fields of a parameter struct as a Markdown table.
struct ParameterTable {
    let parameters: ResolvedParameters

    init(_ parameters: ResolvedParameters) { self.parameters = parameters }

    var lines: [String] {
        let hasKeys = parameters.fields.contains { !parameters.configurationKeys(of: $0).isEmpty }
        let names = ["Name", "Type", "Without it", "Meaning"] + (hasKeys ? ["Configuration keys"] : [])
        return ["| \(names.joined(separator: " | ")) |", "|\(names.map { _ in "---" }.joined(separator: "|"))|"]
            + parameters.fields.map { field in
                let keys = parameters.configurationKeys(of: field).map { "`\($0)`" }.joined(separator: ", ")
                let cells =
                    [
                        "`\(field.name.value)`", "`\(field.swiftType.source(indentation: 0))`", absence(of: field),
                        meaning(of: field),
                    ]
                    + (hasKeys ? [keys] : [])
                return "| \(cells.map { $0.isEmpty ? " " : $0 }.joined(separator: " | ")) |"
            }
    }

    private func absence(of field: ResolvedField) -> String {
        if let text = field.defaultText?.value {
            return text.isEmpty ? "empty" : MarkdownText.code(text.replacing("|", with: "\\|"))
        }
        if field.isOptional { return "none" }
        if let template = parameters.fromSettings?.first(where: { $0.field.value == field.name.value })?.template {
            return "of the settings: \(MarkdownText.code(template.text))"
        }
        return "required"
    }

    private func meaning(of field: ResolvedField) -> String {
        let example = field.example.map { "For example \(MarkdownText.code($0.value))." }
        let texts = [field.documentation.summary, field.documentation.discussion].compactMap(\.self).map(MarkdownText.cell)
        // An example of a secret is not shown, because it must not be copied.
        let values = field.choices.map { choice in
            "\(MarkdownText.code(choice.value.value.replacing("|", with: "\\|"))): \(MarkdownText.cell(choice.summary))"
        }
        let ends = [field.type == .secret ? nil : example, field.identifies ? nil : "A stored credential is found with any value."]
        return (texts + values + ends.compactMap { $0?.replacing("|", with: "\\|") }).joined(separator: " ")
    }
}
