/// A text behind a label, as lines of a terminal: `  steps      load, ask, store`.
struct LabelledText {
    let label: String
    let text: String

    /// The lines, which break at spaces alone: a word that is longer than a line stays whole.
    ///
    /// - Parameters:
    ///   - column: Where the text begins in each line, counted from zero.
    ///   - width: The most columns of a line.
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
    /// The text with spaces up to a column.
    fileprivate func padded(to column: Int) -> String { self + String(repeating: " ", count: max(0, column - count)) }
}
