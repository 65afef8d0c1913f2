/// Reads the XML of a request, in which references insert elements and texts.
///
/// Only the tags of the literal text are checked: each must be closed, in the reverse order of opening. Inserted elements are
/// complete.
struct ProgramXMLReader {
    let scope: ProgramScope

    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Template? {
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps)
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        template.checkText(isHidden: true, allowsLines: true, allowsElements: true, into: &diagnostics)
        let text = template.pieces.map { piece in
            if case .text(let text) = piece.piece { return text }
            return String(piece.value?.type == .xml ? Self.element : Self.reference)
        }.joined()
        if let mistake = Self.mistake(in: text) {
            diagnostics.report(.invalidValue, "this is not valid XML: \(mistake)", at: node.span)
        }
        return template.resolved
    }

    /// Placeholders for references to texts and to elements. No XML document can contain these characters.
    private static let reference: Character = "\u{FFFE}"
    private static let element: Character = "\u{FFFF}"

    /// Returns the reason why the text is not a single element; `nil` if it is one.
    private static func mistake(in text: String) -> String? {
        var rest = text[...]
        var open: [Substring] = []
        var isClosed = false
        while let start = rest.firstIndex(of: "<") {
            if open.isEmpty, rest[..<start].contains(where: { !$0.isWhitespace }) {
                return "there is text outside the root element"
            }
            rest = rest[rest.index(after: start)...]
            guard rest.first != "!", rest.first != "?" else {
                return "comments, declarations and document types are not supported"
            }
            guard let end = end(of: rest) else { return "a '<' has no '>'" }
            let tag = rest[..<end]
            rest = rest[rest.index(after: end)...]
            let name = tag.drop { $0 == "/" }.prefix { !$0.isWhitespace && $0 != "/" }
            guard !name.isEmpty else { return "a '<' is not followed by a name; write '&lt;' for the character" }
            if let mistake = misplacedReference(in: tag) { return mistake }
            if tag.hasPrefix("/") {
                guard let last = open.popLast() else { return "'</\(name)>' has no opening tag" }
                guard last == name else { return "found '</\(name)>', but expected '</\(last)>'" }
                isClosed = open.isEmpty
            } else {
                guard !isClosed else { return "there is more than one root element" }
                if tag.hasSuffix("/") { isClosed = open.isEmpty } else { open.append(name) }
            }
        }
        if let last = open.last { return "'<\(last)>' is not closed" }
        if rest.contains(where: { !$0.isWhitespace }) { return "there is text outside the root element" }
        return isClosed ? nil : "there is no element"
    }

    /// Returns the mistake in the references of a tag; `nil` if there is none.
    private static func misplacedReference(in tag: Substring) -> String? {
        var quote: Character?
        for character in tag {
            switch (character, quote) {
            case (element, _): return "an element cannot be inserted into a tag"
            case (reference, nil): return "in a tag, a reference is only allowed in a quoted attribute value"
            case ("\"", nil), ("'", nil): quote = character
            case (_, quote?) where character == quote: quote = nil
            default: break
            }
        }
        return nil
    }

    /// Returns the end of a tag: the first `>` outside of attribute values.
    private static func end(of tag: Substring) -> Substring.Index? {
        var quote: Character?
        for index in tag.indices {
            switch (tag[index], quote) {
            case (">", nil): return index
            case ("\"", nil), ("'", nil): quote = tag[index]
            case (let character, quote?) where character == quote: quote = nil
            default: break
            }
        }
        return nil
    }
}
