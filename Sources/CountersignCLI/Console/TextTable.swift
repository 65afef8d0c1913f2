/// A table for a terminal of a given width: flexible columns share what the others leave, and wrap.
struct TextTable {
    /// A column.
    struct Column {
        let title: String
        var isRightAligned = false
        /// Whether it shares the width that is left.
        var isFlexible = false
    }

    let columns: [Column]
    let rows: [[String]]
    var width = 80

    /// The narrowest that a flexible column becomes.
    private static let narrowest = 12
    private static let gap = "  "

    /// The lines, without white space at their ends.
    func lines() -> [String] {
        let widths = columnWidths()
        var lines = line(columns.map(\.title), widths: widths)
        lines.append(widths.map { String(repeating: "-", count: $0) }.joined(separator: Self.gap))
        for row in rows { lines += line(row, widths: widths) }
        return lines
    }

    private func columnWidths() -> [Int] {
        var widths = columns.indices.map { index in
            ([columns[index].title] + rows.map { $0[index] }).map(\.count).max() ?? 0
        }
        let flexible = columns.indices.filter { columns[$0].isFlexible }
        var excess = widths.reduce(0, +) + Self.gap.count * (columns.count - 1) - width
        // The widest gives way first, so that what wraps wraps evenly.
        while excess > 0, let widest = flexible.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.narrowest {
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    /// The lines that a row takes.
    private func line(_ cells: [String], widths: [Int]) -> [String] {
        let wrapped = cells.indices.map { Self.wrap(cells[$0], to: widths[$0]) }
        let height = wrapped.map(\.count).max() ?? 1
        return (0..<height).map { number in
            let parts = cells.indices.map { index in
                let text = number < wrapped[index].count ? wrapped[index][number] : ""
                let blank = String(repeating: " ", count: max(0, widths[index] - text.count))
                return columns[index].isRightAligned ? blank + text : text + blank
            }
            let line = parts.joined(separator: Self.gap)
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Breaks a text at spaces; a word that is too long is broken within, after a hyphen or dot if it has one.
    static func wrap(_ text: String, to width: Int) -> [String] {
        guard width > 0 else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count <= width {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            var rest = word
            while rest.count > width {
                var part = rest.prefix(width)
                if let seam = part.lastIndex(where: { $0 == "-" || $0 == "." }) { part = part[...seam] }
                lines.append(String(part))
                rest = rest[part.endIndex...]
            }
            line = String(rest)
        }
        if !line.isEmpty || lines.isEmpty { lines.append(line) }
        return lines
    }
}
