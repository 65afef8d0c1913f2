/// A table of single lines, each column as wide as its widest cell.
struct TextTable {
    /// A column.
    struct Column {
        let title: String
        var isRightAligned = false
    }

    let columns: [Column]
    let rows: [[String]]

    private static let gap = "  "

    /// Returns the title, a rule, and a line for each row, without white space at their ends.
    func lines() -> [String] {
        let widths = columns.indices.map { index in ([columns[index].title] + rows.map { $0[index] }).map(\.count).max() ?? 0 }
        let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: Self.gap)
        return [line(columns.map(\.title), widths), rule] + rows.map { line($0, widths) }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let parts = cells.indices.map { index in
            let blank = String(repeating: " ", count: widths[index] - cells[index].count)
            return columns[index].isRightAligned ? blank + cells[index] : cells[index] + blank
        }
        let line = parts.joined(separator: Self.gap)
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
