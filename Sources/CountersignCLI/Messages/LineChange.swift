/// The difference between two texts, from the first line that differs to the last one.
struct LineChange {
    /// The lines of the old text, counted from zero.
    let old: Range<Int>
    /// The lines of the new text, counted from zero.
    let new: Range<Int>

    /// Creates the difference; `nil` if the texts are the same.
    init?(from old: [String], to new: [String]) {
        guard old != new else { return nil }
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
        // The common lines at the end must not overlap those at the start.
        let kept = min(end, min(old.count, new.count) - start)
        self.old = start..<old.count - kept
        self.new = start..<new.count - kept
    }

    /// The description of the change to the new text, such as `changed in line 3` or `without line 7`.
    var words: String { new.isEmpty ? "without \(Self.words(old))" : "changed in \(Self.words(new))" }

    private static func words(_ lines: Range<Int>) -> String {
        lines.count == 1 ? "line \(lines.lowerBound + 1)" : "lines \(lines.lowerBound + 1) to \(lines.upperBound)"
    }
}
