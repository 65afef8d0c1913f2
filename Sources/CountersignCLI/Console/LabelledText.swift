/// A text after a label, as lines for a terminal: `  steps      load, ask, store`.
struct LabelledText {
    let label: String
    let text: String

    /// Returns the lines, broken only at spaces. A word that is longer than a line is not broken.
    ///
    /// - Parameters:
    ///   - column: The column in which the text of each line begins, counted from zero.
    ///   - width: The maximum number of columns in a line.
    func lines(textAt column: Int, width: Int = 80) -> [String] {
        var lines: [String] = []
        var line = ("  " + label).padded(to: column)
        var isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = "".padded(to: column)
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }
}

extension String {
    /// Returns the text, padded with spaces up to a column.
    fileprivate func padded(to column: Int) -> String { self + String(repeating: " ", count: max(0, column - count)) }
}
