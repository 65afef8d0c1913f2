/// The position of a scalar in the text. Yams provides only the start of its anchor or tag, and no end.
struct ScalarToken {
    /// The first character after an anchor: the quote, the block indicator, or the text itself.
    let index: Int
    /// The index of the explicit tag, if there is one.
    let tagIndex: Int?
    private let source: SourceText

    init(at mark: Int, in source: SourceText) {
        self.source = source
        var index = mark
        var tagIndex: Int?
        while index < source.scalars.count, source.scalars[index] == "&" || source.scalars[index] == "!" {
            if source.scalars[index] == "!" { tagIndex = index }
            let end = source.scalars[index...].firstIndex { $0.isBlank || $0.isLineBreak } ?? source.scalars.count
            let next = source.scalars[end...].firstIndex { !$0.isBlank } ?? source.scalars.count
            guard next < source.scalars.count, !source.scalars[next].isLineBreak else { break }
            index = next
        }
        self.index = index
        self.tagIndex = tagIndex
    }

    private var first: Unicode.Scalar? { index < source.scalars.count ? source.scalars[index] : nil }

    /// The index of a character of a key's text that can be replaced without changing the document's structure.
    var renamableIndex: Int? {
        guard let first else { return nil }
        switch first {
        case "\"", "'":
            let next = index + 1
            // An empty key has no character; two quotes in a row are one escaped quote.
            return next < source.scalars.count && source.scalars[next] != first ? next : nil
        case "?", "*", "[", "{", "|", ">", ":", "-", "&", "!": return nil
        default: return index
        }
    }

    /// Returns the span to underline: the text without its quotes if it is written exactly as it reads, otherwise its part on the
    /// first line.
    func span(of text: String) -> SourceSpan {
        if !text.isEmpty, let start = textStart(of: text), !text.unicodeScalars.contains(where: \.isLineBreak) {
            return SourceSpan(location: start, length: text.unicodeScalars.count)
        }
        return SourceSpan(location: source.location(at: index), length: max(1, firstLineEnd - index))
    }

    /// The end of the token, or of its first line.
    private var firstLineEnd: Int {
        let lineEnd = source.lineEnd(after: index)
        switch first {
        case "\"", "'": return quotedEnd(quote: first ?? "'", lineEnd: lineEnd)
        case "|", ">", nil: return index + 1
        default: return lineEnd
        }
    }

    /// Returns the location of the text's first character; `nil` unless the text is written exactly as it reads.
    func textStart(of text: String) -> SourceLocation? {
        let start = first == "\"" || first == "'" ? index + 1 : index
        let written = source.scalars[min(start, source.scalars.count)...].prefix(text.unicodeScalars.count)
        return written.elementsEqual(text.unicodeScalars) ? source.location(at: start) : nil
    }

    private func quotedEnd(quote: Unicode.Scalar, lineEnd: Int) -> Int {
        var end = index + 1
        while end < lineEnd {
            if quote == "\"", source.scalars[end] == "\\" {
                end += 2
            } else if source.scalars[end] == quote {
                if quote == "'", end + 1 < lineEnd, source.scalars[end + 1] == "'" {
                    end += 2
                } else {
                    return end + 1
                }
            } else {
                end += 1
            }
        }
        return lineEnd
    }
}
