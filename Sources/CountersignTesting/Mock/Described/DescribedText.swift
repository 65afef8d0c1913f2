/// A text with gaps for values that the mock does not choose: a template in which each slot is a mark.
///
/// Marks consist of letters and digits, so that the encodings of URLs and forms leave them unchanged.
struct DescribedText: Sendable {
    private enum Piece {
        case literal(Substring)
        case gap(Int)
    }

    private let pieces: [Piece]

    /// The mark of a slot.
    static func mark(_ slot: Int) -> String { "csslot\(slot)z" }

    /// The slot of values that are not compared.
    static let anything = 999_999

    /// Finds the marks in a text.
    init(marked text: String) {
        var pieces: [Piece] = []
        var end = text.startIndex
        for mark in text.matches(of: /csslot(\d+)z/) {
            if end < mark.range.lowerBound { pieces.append(.literal(text[end..<mark.range.lowerBound])) }
            pieces.append(.gap(Int(mark.output.1) ?? Self.anything))
            end = mark.range.upperBound
        }
        if end < text.endIndex { pieces.append(.literal(text[end...])) }
        self.pieces = pieces
    }

    /// Returns the values in the gaps, by slot; `nil` if the text is another one.
    ///
    /// - Parameter mayBeEmpty: Whether a gap can have no characters.
    func values(in text: String, mayBeEmpty: Bool = false) -> [Int: String]? {
        var values: [Int: String] = [:]
        return Self.fill(pieces[...], with: text[...], from: mayBeEmpty ? 0 : 1, &values) ? values : nil
    }

    private static func fill(
        _ pieces: ArraySlice<Piece>, with text: Substring, from length: Int, _ values: inout [Int: String]
    ) -> Bool {
        switch pieces.first {
        case nil: return text.isEmpty
        case .literal(let literal):
            return text.hasPrefix(literal)
                && fill(pieces.dropFirst(), with: text.dropFirst(literal.count), from: length, &values)
        case .gap(let slot):
            let rest = pieces.dropFirst()
            guard case .literal(let next)? = rest.first else {
                // The last gap has the rest of the text. Of two gaps without a literal between them, the first is the shortest.
                let end = rest.isEmpty ? text.endIndex : text.index(text.startIndex, offsetBy: length, limitedBy: text.endIndex)
                guard let end, text.count >= length else { return false }
                return note(text[..<end], at: slot, &values) && fill(rest, with: text[end...], from: length, &values)
            }
            for place in text.ranges(of: next) where text.distance(from: text.startIndex, to: place.lowerBound) >= length {
                var attempt = values
                if note(text[..<place.lowerBound], at: slot, &attempt),
                    fill(rest, with: text[place.lowerBound...], from: length, &attempt)
                {
                    values = attempt
                    return true
                }
            }
            return false
        }
    }

    private static func note(_ value: Substring, at slot: Int, _ values: inout [Int: String]) -> Bool {
        guard slot != anything else { return true }
        if let former = values[slot] { return former == value }
        values[slot] = String(value)
        return true
    }
}
