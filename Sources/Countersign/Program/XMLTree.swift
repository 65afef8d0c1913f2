/// A document of XML 1.0 without a document type, as servers answer with: with one there would be entities to expand, and files to fetch.
///
/// Namespaces are not looked at: elements and attributes go by their local names.
struct XMLTree: Sendable, Hashable {
    struct Element: Sendable, Hashable {
        let name: String
        let attributes: [(name: String, value: String)]
        fileprivate(set) var children: [Element] = []
        /// Its text, without that of its children.
        fileprivate(set) var text = ""

        static func == (left: Element, right: Element) -> Bool {
            left.name == right.name && left.text == right.text && left.children == right.children
                && left.attributes.elementsEqual(right.attributes, by: ==)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(text)
            hasher.combine(children)
        }
    }

    let root: Element

    /// - Returns: `nil` if the bytes are no such document in UTF-8, or it is nested too deeply.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var reader = XMLReader(text)
        guard let root = reader.document() else { return nil }
        self.root = root
    }

    /// The text of the first element at a path such as `/Envelope/Body`, or of an attribute of it, `/Envelope/Body/@id`.
    subscript(path: String) -> String? {
        let names = path.split(separator: "/")
        guard let first = names.first, first == root.name else { return nil }
        return Self.text(in: root, at: names.dropFirst())
    }

    private static func text(in element: Element, at path: ArraySlice<Substring>) -> String? {
        guard let name = path.first else { return element.text }
        if name.hasPrefix("@") { return element.attributes.first { $0.name == name.dropFirst() }?.value }
        for child in element.children where child.name == name {
            if let text = text(in: child, at: path.dropFirst()) { return text }
        }
        return nil
    }
}

/// Reads XML from its beginning to its end.
private struct XMLReader {
    private var rest: Substring
    /// A deeper document is refused: what walks the tree takes stack for each level.
    private static let deepest = 64

    init(_ text: String) { rest = text[...] }

    mutating func document() -> XMLTree.Element? {
        if rest.first == "\u{FEFF}" { rest.removeFirst() }
        guard skipMisc(), rest.first == "<" else { return nil }
        guard let root = element(), skipMisc(), rest.isEmpty else { return nil }
        return root
    }

    /// Skips spaces, comments and processing instructions.
    private mutating func skipMisc() -> Bool {
        while true {
            rest = rest.drop(while: \.isWhitespace)
            if rest.hasPrefix("<!--") {
                guard skip(behind: "-->") else { return false }
            } else if rest.hasPrefix("<?") {
                guard skip(behind: "?>") else { return false }
            } else {
                return !rest.hasPrefix("<!")
            }
        }
    }

    private mutating func skip(behind end: String) -> Bool { text(before: end) != nil }

    /// What is before an end, which is skipped, too.
    private mutating func text(before end: String) -> Substring? {
        guard let range = rest.firstRange(of: end) else { return nil }
        defer { rest = rest[range.upperBound...] }
        return rest[..<range.lowerBound]
    }

    /// One element, by a list of those that are open, so that depth takes no stack.
    private mutating func element() -> XMLTree.Element? {
        var open: [(tag: Substring, element: XMLTree.Element)] = []
        while true {
            if rest.hasPrefix("</") {
                rest = rest.dropFirst(2)
                guard let tag = text(before: ">"), let last = open.popLast(), tag.trimmedEnd == last.tag else { return nil }
                guard let parent = open.indices.last else { return last.element }
                open[parent].element.children.append(last.element)
            } else if rest.hasPrefix("<!--") {
                guard skip(behind: "-->") else { return nil }
            } else if rest.hasPrefix("<![CDATA[") {
                rest = rest.dropFirst(9)
                guard let text = text(before: "]]>"), let last = open.indices.last else { return nil }
                open[last].element.text += text
            } else if rest.hasPrefix("<?") {
                guard skip(behind: "?>") else { return nil }
            } else if rest.first == "<" {
                guard let (tag, element, isEmpty) = beginning(), open.count < Self.deepest else { return nil }
                if !isEmpty {
                    open.append((tag, element))
                } else if let last = open.indices.last {
                    open[last].element.children.append(element)
                } else {
                    return element
                }
            } else {
                let text = rest.prefix { $0 != "<" }
                guard let last = open.indices.last, let value = Self.value(of: text), text.endIndex < rest.endIndex else {
                    return nil
                }
                open[last].element.text += value
                rest = rest[text.endIndex...]
            }
        }
    }

    /// The beginning of an element: its name with the prefix, and whether it is its end, too.
    private mutating func beginning() -> (tag: Substring, element: XMLTree.Element, isEmpty: Bool)? {
        rest = rest.dropFirst()
        guard let tag = name() else { return nil }
        var attributes: [(name: String, value: String)] = []
        var names: Set<Substring> = []
        while true {
            let isApart = rest.first?.isWhitespace == true
            rest = rest.drop(while: \.isWhitespace)
            let isEmpty = rest.hasPrefix("/>")
            if isEmpty || rest.first == ">" {
                rest = rest.dropFirst(isEmpty ? 2 : 1)
                return (tag, XMLTree.Element(name: Self.local(tag), attributes: attributes), isEmpty)
            }
            guard isApart, let name = name() else { return nil }
            rest = rest.drop(while: \.isWhitespace)
            guard rest.popFirst() == "=" else { return nil }
            rest = rest.drop(while: \.isWhitespace)
            guard let quote = rest.popFirst(), quote == "\"" || quote == "'", let raw = text(before: String(quote)),
                !raw.contains("<"), let value = Self.value(of: raw), names.insert(name).inserted
            else { return nil }
            // What declares a namespace is no attribute.
            if name != "xmlns", !name.hasPrefix("xmlns:") { attributes.append((Self.local(name), value)) }
        }
    }

    private mutating func name() -> Substring? {
        let name = rest.prefix { character in
            character.isLetter || character.isNumber || "_-.:".contains(character)
        }
        guard let first = name.first, first.isLetter || first == "_" else { return nil }
        rest = rest[name.endIndex...]
        return name
    }

    private static func local(_ name: Substring) -> String { String(name.split(separator: ":").last ?? name) }

    /// A text whose references are replaced; `nil` for one to an entity that XML does not have by itself.
    private static func value(of text: Substring) -> String? {
        guard text.contains("&") else { return String(text) }
        var value = ""
        var rest = text
        while let character = rest.popFirst() {
            guard character == "&" else {
                value.append(character)
                continue
            }
            guard let end = rest.firstIndex(of: ";"), let replacement = replacement(of: rest[..<end]) else { return nil }
            value.append(contentsOf: replacement)
            rest = rest[rest.index(after: end)...]
        }
        return value
    }

    private static func replacement(of reference: Substring) -> String? {
        switch reference {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        default: scalar(of: reference).map { String($0) }
        }
    }

    private static func scalar(of reference: Substring) -> UnicodeScalar? {
        guard reference.hasPrefix("#") else { return nil }
        let isHexadecimal = reference.hasPrefix("#x")
        let digits = reference.dropFirst(isHexadecimal ? 2 : 1)
        guard digits.first?.isHexDigit == true else { return nil }
        return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(UnicodeScalar.init)
    }
}

extension Substring {
    fileprivate var trimmedEnd: Substring {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
