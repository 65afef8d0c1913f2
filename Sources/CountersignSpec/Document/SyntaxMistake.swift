/// The mistake that most likely caused a syntax error.
///
/// A parser reports the position at which it could not continue. That is often far behind the mistake: an unclosed quote includes
/// all lines up to the next quote, and a brace turns an intended text into a mapping. The text is searched for these few
/// mistakes, which are reported where they were made. Other mistakes are reported with the parser's message.
struct SyntaxMistake {
    let index: Int
    let message: String

    /// - Parameters:
    ///   - problem: The parser's message.
    ///   - index: The position of the syntax error.
    ///   - start: The start of the collection or scalar that was parsed, if the parser reports it.
    static func find(_ problem: String, at index: Int, in start: Int?, of source: SourceText) -> SyntaxMistake? {
        let text = Text(source)
        if let quote = text.openQuote(endingAt: index) {
            return SyntaxMistake(index: quote, message: "the quote that opens here is not closed on this line")
        }
        if let brace = text.braceAtValue(of: index) {
            let value = text.rest(from: brace)
            return SyntaxMistake(
                index: brace,
                message: "a text that begins with a brace must be quoted, otherwise YAML reads a mapping; write "
                    + "\"\(value.firstLine)\"")
        }
        if problem.hasPrefix("mapping values are not allowed") {
            return SyntaxMistake(
                index: index,
                message: "unexpected ':'; quote the text if it contains ': ', or indent the key like the one above")
        }
        guard problem.hasPrefix("did not find expected key") || problem.hasPrefix("did not find expected '-'"), let start,
            let indentation = text.indentation(of: index)
        else { return nil }
        let expected = source.location(at: start).column - 1
        guard indentation != expected else { return nil }
        let what = problem.hasSuffix("key") ? "the keys of its mapping" : "the items of its list"
        return SyntaxMistake(
            index: index, message: "this line is indented by \(spaces(indentation)), but \(what) by \(expected)"
        )
    }

    private static func spaces(_ count: Int) -> String { count == 1 ? "1 space" : "\(count) spaces" }
}

/// A file's text, which is searched for quotes and indentation.
private struct Text {
    private let source: SourceText
    private var scalars: [Unicode.Scalar] { source.scalars }

    init(_ source: SourceText) { self.source = source }

    /// Returns the quote that opens a multi-line scalar, if the scalar is never closed, or is closed on the line of the place
    /// before the place.
    func openQuote(endingAt place: Int) -> Int? {
        var index = 0
        while index < scalars.count, index <= place {
            let scalar = scalars[index]
            if scalar == "#", index == 0 || scalars[index - 1].isBlank || scalars[index - 1].isLineBreak {
                index = source.lineEnd(after: index)
            } else if scalar == "\"" || scalar == "'", isValueStart(index) {
                let end = closing(of: index)
                let lineEnd = source.lineEnd(after: index)
                if end ?? scalars.count > lineEnd {
                    guard let end else { return index }
                    // The scalar was closed by the quote that was meant to open the next one, so the rest of that line is not
                    // YAML.
                    if place >= end, place <= source.lineEnd(after: end) { return index }
                }
                index = (end ?? scalars.count) + 1
            } else if scalar == "|" || scalar == ">", isValueStart(index) {
                index = blockEnd(from: index)
            } else {
                index += 1
            }
        }
        return nil
    }

    /// Returns the end of a literal or folded scalar, whose lines are indented by more than the line on which it begins.
    private func blockEnd(from indicator: Int) -> Int {
        let own = scalars[lineStart(of: indicator)...].prefix { $0 == " " }.count
        var end = source.lineEnd(after: indicator)
        while end < scalars.count {
            let next = scalars[(end + 1)...]
            let indentation = next.prefix { $0 == " " }.count
            guard indentation > own || next.dropFirst(indentation).first?.isLineBreak == true else { break }
            end = source.lineEnd(after: end + 1)
        }
        return end
    }

    /// Whether a scalar can begin at the place: at the start of a line, or after an indicator.
    private func isValueStart(_ index: Int) -> Bool {
        var before = index - 1
        while before >= 0, scalars[before].isBlank { before -= 1 }
        guard before >= 0, !scalars[before].isLineBreak else { return true }
        switch scalars[before] {
        case "[", "{", ",": return true
        case ":", "-": return before < index - 1
        default: return false
        }
    }

    /// Returns the quote that closes the scalar; `nil` if there is none.
    private func closing(of opening: Int) -> Int? {
        let quote = scalars[opening]
        var index = opening + 1
        while index < scalars.count {
            if quote == "\"", scalars[index] == "\\" {
                index += 2
            } else if scalars[index] == quote {
                guard quote == "'", index + 1 < scalars.count, scalars[index + 1] == quote else { return index }
                index += 2
            } else {
                index += 1
            }
        }
        return nil
    }

    /// Returns the brace that opens the value on the line of a place, if its closing brace immediately precedes the place.
    func braceAtValue(of place: Int) -> Int? {
        let start = lineStart(of: place)
        let line = scalars[start..<min(place, scalars.count)]
        guard let closing = line.lastIndex(of: "}"), closing + 1 == place,
            let opening = line[..<closing].lastIndex(of: "{"), isValueStart(opening)
        else { return nil }
        let name = String(scalars: scalars[(opening + 1)..<closing])
        return name.isReference ? opening : nil
    }

    func rest(from index: Int) -> String {
        var end = source.lineEnd(after: index)
        while end > index, scalars[end - 1].isBlank { end -= 1 }
        return String(scalars: scalars[index..<end])
    }

    /// Returns the indentation of the line on which a place is the first text, in spaces; `nil` if other text precedes it.
    func indentation(of place: Int) -> Int? {
        let start = lineStart(of: place)
        let before = scalars[start..<min(place, scalars.count)]
        return before.allSatisfy { $0 == " " } ? before.count : nil
    }

    private func lineStart(of place: Int) -> Int {
        var start = min(place, scalars.count)
        while start > 0, !scalars[start - 1].isLineBreak { start -= 1 }
        return start
    }
}
