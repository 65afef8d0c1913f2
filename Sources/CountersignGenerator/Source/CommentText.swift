/// Lines of comment: text in them can neither end the comment nor break a line.
package struct CommentText: Sendable, Hashable {
    /// Each begins with the comment's marker.
    package let lines: [String]

    /// Creates an ordinary comment.
    package init(_ text: String) {
        lines = Self.lines(of: text).map { Self.line("//", $0) }
    }

    init(documentation lines: [String]) {
        self.lines = lines.map { Self.line("///", $0) }
    }

    private static func line(_ marker: String, _ text: String) -> String { text.isEmpty ? marker : "\(marker) \(text)" }

    /// Splits a text at every character that a tool may read as a line break, and replaces characters that could be displayed as
    /// something else.
    static func lines(of text: String) -> [String] {
        var lines = [""]
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": lines.append("")
            case "\t": lines[lines.count - 1] += "    "
            default: lines[lines.count - 1].unicodeScalars.append(isReadable(scalar) ? scalar : "\u{FFFD}")
            }
        }
        return lines.map { line in
            var scalars = line.unicodeScalars
            while scalars.last == " " { scalars.removeLast() }
            return String(scalars)
        }
    }

    private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned: false
        // Joiners belong to words of many languages. Other invisible characters can make a comment look like a different text.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }
}
