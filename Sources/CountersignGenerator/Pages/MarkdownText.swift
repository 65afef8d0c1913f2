/// Text from a spec as a part of a Markdown page.
///
/// Texts of specs are Markdown themselves, as they are in the comments of generated code. What would break the page around them, or be
/// dropped by DocC, is escaped: headings, directives, HTML, the bars of a table.
package enum MarkdownText {
    /// A text in one line, for a heading, an item of a list or an abstract.
    package static func line(_ text: String) -> String {
        escaped(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }

    /// A text in a cell of a table.
    package static func cell(_ text: String) -> String { line(text).replacing("|", with: "\\|") }

    /// Paragraphs, lists and blocks of code, line by line.
    package static func paragraphs(_ text: String) -> [String] {
        var isCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let trimmed = line.drop { $0 == " " }
            if trimmed.hasPrefix("```") {
                isCode.toggle()
                return String(line)
            }
            return isCode ? String(line) : String(line.prefix { $0 == " " }) + escaped(String(trimmed))
        }
    }

    /// Lines as a page, with no more than one empty line between two others and none at the end.
    static func page(_ lines: [String]) -> String {
        var page: [String] = []
        for line in lines where !line.isEmpty || page.last?.isEmpty == false { page.append(line) }
        while page.last?.isEmpty == true { page.removeLast() }
        return page.joined(separator: "\n") + "\n"
    }

    /// A text as code, whatever is in it.
    package static func code(_ text: String) -> String {
        guard text.contains("`") else { return "`\(text)`" }
        // One mark more than the longest run inside (CommonMark, section 6.1); never two alone, which DocC takes for a symbol.
        let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: longest + 2)
        return "\(fence) \(text) \(fence)"
    }

    /// Without what DocC would take for something else at the beginning of a line, and without HTML, which it drops.
    private static func escaped(_ text: String) -> String {
        var result = ""
        var isCode = false
        for (index, character) in zip(text.indices, text) {
            if character == "`" { isCode.toggle() }
            switch character {
            case "<" where !isCode && !text[index...].hasPrefix("<doc:") && !text[index...].hasPrefix("<http"): result += "\\<"
            case "#" where index == text.startIndex, "@" where index == text.startIndex: result += "\\\(character)"
            default: result.append(character)
            }
        }
        return result
    }
}
