/// Suggests known names for an unknown one.
package enum Suggestion {
    /// Returns the candidate that is nearest to `text`, if it is near enough to be a misspelling.
    package static func nearest<Candidates: Sequence<String>>(to text: String, among candidates: Candidates) -> String? {
        let written = Array(text.lowercased().unicodeScalars)
        // Longer texts are not compared, since that takes quadratic time and they are unlikely to be misspellings.
        guard (1...64).contains(written.count) else { return nil }
        var best: (candidate: String, distance: Int)?
        for candidate in candidates where candidate != text {
            let length = candidate.unicodeScalars.count
            let farthest = max(1, max(written.count, length) / 3)
            guard length <= 64, abs(length - written.count) <= farthest else { continue }
            let distance = distance(written, Array(candidate.lowercased().unicodeScalars))
            guard distance <= farthest else { continue }
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// Returns a list of the candidates for the end of a message, if they are few. It is used if none is near enough to be
    /// suggested.
    static func list(of candidates: [String]) -> String {
        guard (1...6).contains(candidates.count) else { return "" }
        return "; there \(candidates.count == 1 ? "is" : "are") " + candidates.map { "'\($0)'" }.joined(separator: ", ")
    }

    /// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for (row, scalar) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (scalar == other ? 0 : 1))
                if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
