/// The documentation comment of a declaration.
package struct DocumentationText: Sendable, Hashable {
    /// The comment's lines.
    package let comment: CommentText

    /// Creates a comment from a summary, paragraphs, and callouts, which DocC shows separately.
    package init(_ summary: String, discussion: String? = nil, callouts: [Callout] = []) {
        var lines = Self.trimmed(CommentText.lines(of: summary))
        if lines.isEmpty { lines = ["No summary."] }
        if let discussion {
            let paragraphs = Self.trimmed(CommentText.lines(of: discussion))
            if !paragraphs.isEmpty { lines += [""] + paragraphs }
        }
        // A list can directly follow a paragraph, so a summary with a single callout takes only two lines.
        if !callouts.isEmpty, lines.count > 1 || callouts.count > 1 { lines.append("") }
        lines += callouts.flatMap(\.lines)
        comment = CommentText(documentation: lines)
    }

    /// An item of the list at a comment's end.
    package enum Callout: Sendable, Hashable {
        case parameters([Parameter])
        case returns(String)
        case `throws`(String)
        case since(String)
        case remark(String)

        package struct Parameter: Sendable, Hashable {
            package let name: String
            package let summary: String
        }

        fileprivate var lines: [String] {
            switch self {
            case .parameters(let parameters):
                ["- Parameters:"] + parameters.map { "  - \(Self.line($0.name)): \(Self.line($0.summary))" }
            case .returns(let text): ["- Returns: \(Self.line(text))"]
            case .throws(let text): ["- Throws: \(Self.line(text))"]
            case .since(let text): ["- Since: \(Self.line(text))"]
            case .remark(let text): ["- Remark: \(Self.line(text))"]
            }
        }

        private static func line(_ text: String) -> String {
            DocumentationText.trimmed(CommentText.lines(of: text)).joined(separator: " ")
        }
    }

    private static func trimmed(_ lines: [String]) -> [String] {
        lines.drop(while: \.isEmpty).reversed().drop(while: \.isEmpty).reversed()
    }
}
