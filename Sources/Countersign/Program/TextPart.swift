/// The part of a text between two other texts, such as a salt in a server's challenge.
public struct TextPart: Sendable, Hashable {
    /// The whole text.
    public let text: ProgramTemplate
    /// The text before the part; `nil` if the part is at the beginning.
    public let start: ProgramTemplate?
    /// The text after the part; `nil` if the part is at the end.
    public let end: ProgramTemplate?

    /// Creates the function.
    public init(of text: ProgramTemplate, after start: ProgramTemplate? = nil, before end: ProgramTemplate? = nil) {
        self.text = text
        self.start = start
        self.end = end
    }
}

extension TextPart {
    /// The maximum sizes in bytes of the text, and of each text beside the part. The search takes time for each byte of one and of
    /// the other.
    static let maximumSize = 65_536
    static let maximumMarkSize = 1_024

    /// The templates of the function.
    var templates: [ProgramTemplate] { [text] + [start, end].compactMap(\.self) }

    /// Returns the part: from the first occurrence of the text before it to the next occurrence of the text after it.
    ///
    /// - Parameter values: The values by slot.
    /// - Returns: `nil` if a value is absent.
    /// - Throws: ``CountersignError/Code/unusableChallenge`` if the text has no such part, or is too long.
    func part(_ values: [ProgramValue]) throws(CountersignError) -> String? {
        guard let whole = text.text(values) else { return nil }
        var rest = whole.utf8[...]
        guard rest.count <= Self.maximumSize else { throw tooLong }
        if let start {
            guard let mark = start.text(values) else { return nil }
            guard mark.utf8.count <= Self.maximumMarkSize else { throw tooLong }
            guard let range = rest.firstRange(of: mark.utf8) else { throw missing }
            rest = rest[range.upperBound...]
        }
        if let end {
            guard let mark = end.text(values) else { return nil }
            guard mark.utf8.count <= Self.maximumMarkSize else { throw tooLong }
            guard let range = rest.firstRange(of: mark.utf8) else { throw missing }
            rest = rest[..<range.lowerBound]
        }
        // Both texts are whole characters in UTF-8, and so is what is between them.
        return String(decoding: rest, as: UTF8.self)
    }

    private var missing: CountersignError {
        CountersignError(.unusableChallenge, detail: "a text of the server lacks the part that a step needs")
    }

    private var tooLong: CountersignError {
        CountersignError(.unusableChallenge, detail: "a text of the server is too long to find a part of it")
    }
}
