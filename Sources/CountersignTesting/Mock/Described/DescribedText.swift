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
        var filling = Filling(pieces: pieces, mayBeEmpty: mayBeEmpty)
        return filling.fill(from: 0, with: text[...]) ? filling.values : nil
    }

    /// The search for the values in the gaps.
    private struct Filling {
        /// A rest of the pieces with a rest of the text.
        private struct Rest: Hashable {
            let piece: Int
            let start: String.Index
        }

        let pieces: [Piece]
        let mayBeEmpty: Bool
        var values: [Int: String] = [:]
        /// The rests that do not fit. Without them, the time would be exponential in the number of gaps.
        private var misfits: Set<Rest> = []
        /// Whether a slot has several gaps, so that a rest can fit with some values only.
        private let hasRepetitions: Bool

        init(pieces: [Piece], mayBeEmpty: Bool) {
            self.pieces = pieces
            self.mayBeEmpty = mayBeEmpty
            let slots = pieces.compactMap { piece -> Int? in if case .gap(let slot) = piece { slot } else { nil } }
                .filter { $0 != DescribedText.anything }
            hasRepetitions = Set(slots).count < slots.count
        }

        mutating func fill(from piece: Int, with text: Substring) -> Bool {
            guard piece < pieces.count else { return text.isEmpty }
            let rest = Rest(piece: piece, start: text.startIndex)
            guard !misfits.contains(rest) else { return false }
            let former = values
            if fits(piece, text) { return true }
            values = former
            if !hasRepetitions { misfits.insert(rest) }
            return false
        }

        private mutating func fits(_ piece: Int, _ text: Substring) -> Bool {
            switch pieces[piece] {
            case .literal(let literal):
                return text.hasPrefix(literal) && fill(from: piece + 1, with: text.dropFirst(literal.count))
            case .gap(let slot):
                guard piece + 1 < pieces.count else { return (mayBeEmpty || !text.isEmpty) && note(text, at: slot) }
                guard case .literal(let next) = pieces[piece + 1] else {
                    // Of two gaps without a literal between them, the first is the shortest.
                    guard mayBeEmpty || !text.isEmpty else { return false }
                    let value = mayBeEmpty ? text.prefix(0) : text.prefix(1)
                    return note(value, at: slot) && fill(from: piece + 1, with: text[value.endIndex...])
                }
                let former = values
                for place in text.ranges(of: next) where mayBeEmpty || place.lowerBound > text.startIndex {
                    values = former
                    if note(text[..<place.lowerBound], at: slot), fill(from: piece + 1, with: text[place.lowerBound...]) {
                        return true
                    }
                }
                return false
            }
        }

        private mutating func note(_ value: Substring, at slot: Int) -> Bool {
            guard slot != DescribedText.anything else { return true }
            if let former = values[slot] { return former == value }
            values[slot] = String(value)
            return true
        }
    }
}
