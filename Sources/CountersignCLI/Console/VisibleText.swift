/// Text from outside, as it may be shown on a terminal.
enum VisibleText {
    /// The text with what a terminal would obey, or not show, written as `\u{1B}`.
    static func escaped(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default:
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// The same of several lines.
    static func escapedLines(_ text: String) -> String {
        text.split(separator: "\n").map { escaped(String($0)) }.joined(separator: "\n")
    }
}
