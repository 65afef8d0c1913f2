/// Text from a spec as a part of a Markdown page.
///
/// Texts of specs are Markdown themselves, as in the comments of generated code. Constructs that would break the surrounding
/// page, or that DocC would drop, are escaped: headings, directives, HTML, the bars of a table.
package enum MarkdownText {
    /// Returns a text on one line, for a heading, a list item or an abstract.
    package static func line(_ text: String) -> String {
        escaped(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }

    /// Returns a text for a cell of a table.
    package static func cell(_ text: String) -> String { line(text).replacing("|", with: "\\|") }

    /// Returns paragraphs, lists and code blocks, line by line.
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

    /// Joins lines to a page, with at most one empty line between two others and none at the end.
    static func page(_ lines: [String]) -> String {
        var page: [String] = []
        for line in lines where !line.isEmpty || page.last?.isEmpty == false { page.append(line) }
        while page.last?.isEmpty == true { page.removeLast() }
        return page.joined(separator: "\n") + "\n"
    }

    /// Returns a text as code. The text may contain backticks.
    package static func code(_ text: String) -> String {
        guard text.contains("`") else { return "`\(text)`" }
        // The fence must be longer than any run of backticks inside (CommonMark, section 6.1), and must not be two backticks,
        // which DocC reads as a symbol link.
        let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: longest + 2)
        return "\(fence) \(text) \(fence)"
    }

    /// Escapes characters that DocC would interpret at the beginning of a line, and HTML, which it drops.
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
