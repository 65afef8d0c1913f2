/// A document of XML 1.0 without a document type, as servers answer with: with one there would be entities to expand, and files to fetch.
///
/// Namespaces are not looked at: elements and attributes go by their local names. An element is taken elsewhere as it was written, with the
/// declarations of those that it is in, so that what has signed it is still right.
struct XMLTree: Sendable, Hashable {
    struct Element: Sendable, Hashable {
        let name: String
        let attributes: [(name: String, value: String)]
        /// What it declares of namespaces: `xmlns` or `xmlns:prefix`, and the quoted value as it was written.
        fileprivate let declarations: [(name: Substring, value: String)]
        /// Where it is in the document, and where its name ends.
        fileprivate let start: String.Index
        fileprivate let nameEnd: String.Index
        fileprivate(set) var end: String.Index
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
    private let source: String

    /// - Returns: `nil` if the bytes are no such document in UTF-8, or it is nested too deeply.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.allSatisfy(\.isOfXML) else { return nil }
        var reader = XMLReader(text)
        guard let root = reader.document() else { return nil }
        self.root = root
        source = text
    }

    /// The text of the first element at a path such as `/Envelope/Body`, or of an attribute of it, `/Envelope/Body/@id`.
    subscript(path: String) -> String? {
        let names = path.split(separator: "/")
        guard let first = names.first, first == root.name else { return nil }
        return Self.text(in: root, at: names.dropFirst())
    }

    /// The first element at a path, as it was written, with the namespaces that it is in declared; `nil` if there is none.
    func element(at path: String) -> String? {
        let names = path.split(separator: "/")
        guard let first = names.first, first == root.name else { return nil }
        return element(in: root, at: names.dropFirst(), declared: [:])
    }

    /// - Parameter declared: The declarations around it.
    private func element(in element: Element, at path: ArraySlice<Substring>, declared: [Substring: String]) -> String? {
        guard let name = path.first else {
            let own = Set(element.declarations.map(\.name))
            // All of them: which are used is in texts, too, and what has signed the element may count any. Where there is no default, it has none
            // elsewhere either.
            let inherited = ["xmlns": "\"\""].merging(declared) { _, declared in declared }.filter { !own.contains($0.key) }
            let declarations = inherited.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
            return source[element.start..<element.nameEnd] + declarations + source[element.nameEnd..<element.end]
        }
        let declared = declared.merging(element.declarations) { _, own in own }
        for child in element.children where child.name == name {
            if let found = self.element(in: child, at: path.dropFirst(), declared: declared) { return found }
        }
        return nil
    }

    /// A text as it stands in an element or in an attribute, whichever quotes that has; `nil` if it has a character that XML cannot have.
    static func escaped(_ text: String) -> String? {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // What would be changed on the way, or end an attribute.
            case "'", "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            default:
                guard scalar.isOfXML else { return nil }
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
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

/// Reads XML from its beginning to its end, scalar by scalar: a combining mark behind a `>` makes one character of both.
private struct XMLReader {
    private var rest: Substring.UnicodeScalarView
    /// A deeper document is refused: what walks the tree takes stack for each level.
    private static let deepest = 64
    /// Each of them is written again with an element that is taken elsewhere.
    private static let mostDeclarations = 256
    private var declarations = 0

    init(_ text: String) { rest = text[...].unicodeScalars }

    mutating func document() -> XMLTree.Element? {
        if rest.first == "\u{FEFF}" { rest.removeFirst() }
        guard skipMisc(), rest.first == "<" else { return nil }
        guard let root = element(), skipMisc(), rest.isEmpty else { return nil }
        return root
    }

    /// Skips spaces, comments and processing instructions.
    private mutating func skipMisc() -> Bool {
        while true {
            rest = rest.drop(while: \.isSpace)
            if rest.begins(with: "<!--") {
                guard skipComment() else { return false }
            } else if rest.begins(with: "<?") {
                rest = rest.dropFirst(2)
                guard text(before: "?>") != nil else { return false }
            } else {
                return !rest.begins(with: "<!")
            }
        }
    }

    /// Skips a comment, in which no `--` is (XML 1.0, section 2.5): other readers might see another end of it.
    private mutating func skipComment() -> Bool {
        rest = rest.dropFirst(4)
        guard let comment = text(before: "--"), !comment.hasSuffix("-"), rest.first == ">" else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// What is before an end, which is skipped, too.
    private mutating func text(before end: String) -> Substring? {
        guard let range = rest.firstRange(of: end.unicodeScalars) else { return nil }
        defer { rest = rest[range.upperBound...] }
        return Substring(rest[..<range.lowerBound])
    }

    /// One element, by a list of those that are open, so that depth takes no stack.
    private mutating func element() -> XMLTree.Element? {
        var open: [(tag: Substring, element: XMLTree.Element)] = []
        while true {
            if rest.begins(with: "</") {
                rest = rest.dropFirst(2)
                guard let tag = text(before: ">"), var last = open.popLast(),
                    tag.trimmedEnd.unicodeScalars.elementsEqual(last.tag.unicodeScalars)
                else { return nil }
                last.element.end = rest.startIndex
                guard let parent = open.indices.last else { return last.element }
                open[parent].element.children.append(last.element)
            } else if rest.begins(with: "<!--") {
                guard skipComment() else { return nil }
            } else if rest.begins(with: "<![CDATA[") {
                rest = rest.dropFirst(9)
                guard let text = text(before: "]]>"), let last = open.indices.last else { return nil }
                open[last].element.text += text
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
                guard let last = open.indices.last, let value = Self.value(of: Substring(text)), text.endIndex < rest.endIndex,
                    // It ends a section of CDATA, and stands nowhere else (section 2.4).
                    text.firstRange(of: "]]>".unicodeScalars) == nil
                else { return nil }
                open[last].element.text += value
                rest = rest[text.endIndex...]
            }
        }
    }

    /// The beginning of an element: its name with the prefix, and whether it is its end, too.
    private mutating func beginning() -> (tag: Substring, element: XMLTree.Element, isEmpty: Bool)? {
        let start = rest.startIndex
        rest = rest.dropFirst()
        guard let tag = name() else { return nil }
        var declarations: [(name: Substring, value: String)] = []
        var attributes: [(name: String, value: String)] = []
        var names: Set<Substring> = []
        while true {
            let isApart = rest.first?.isSpace == true
            rest = rest.drop(while: \.isSpace)
            let isEmpty = rest.begins(with: "/>")
            if isEmpty || rest.first == ">" {
                rest = rest.dropFirst(isEmpty ? 2 : 1)
                let element = XMLTree.Element(
                    name: Self.local(tag), attributes: attributes, declarations: declarations, start: start, nameEnd: tag.endIndex,
                    end: rest.startIndex)
                return (tag, element, isEmpty)
            }
            guard isApart, let name = name() else { return nil }
            rest = rest.drop(while: \.isSpace)
            guard rest.popFirst() == "=" else { return nil }
            rest = rest.drop(while: \.isSpace)
            guard let quote = rest.popFirst(), quote == "\"" || quote == "'", let raw = text(before: String(quote)),
                !raw.unicodeScalars.contains("<"), let value = Self.value(of: raw), names.insert(name).inserted
            else { return nil }
            // What declares a namespace is no attribute.
            if name == "xmlns" || name.hasPrefix("xmlns:") {
                self.declarations += 1
                guard self.declarations <= Self.mostDeclarations else { return nil }
                declarations.append((name, "\(quote)\(raw)\(quote)"))
            } else {
                attributes.append((Self.local(name), value))
            }
        }
    }

    private mutating func name() -> Substring? {
        let name = rest.prefix(while: \.isPartOfName)
        guard let first = name.first, first.properties.isAlphabetic || first == "_" else { return nil }
        rest = rest[name.endIndex...]
        return Substring(name)
    }

    private static func local(_ name: Substring) -> String { String(name.split(separator: ":").last ?? name) }

    /// A text whose references are replaced; `nil` for one to an entity that XML does not have by itself.
    private static func value(of text: Substring) -> String? {
        guard text.unicodeScalars.contains("&") else { return String(text) }
        var value = String.UnicodeScalarView()
        var rest = text.unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "&" else {
                value.append(scalar)
                continue
            }
            guard let end = rest.firstIndex(of: ";"), let replacement = replacement(of: Substring(rest[..<end])) else { return nil }
            value.append(replacement)
            rest = rest[rest.index(after: end)...]
        }
        return String(value)
    }

    private static func replacement(of reference: Substring) -> UnicodeScalar? {
        switch reference {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        default: scalar(of: reference)
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

extension Substring.UnicodeScalarView {
    fileprivate func begins(with text: String) -> Bool { starts(with: text.unicodeScalars) }
}

extension UnicodeScalar {
    /// Whether a document can have it (XML 1.0, section 2.2).
    fileprivate var isOfXML: Bool {
        switch value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// White space of XML.
    fileprivate var isSpace: Bool { [" ", "\t", "\n", "\r"].contains(self) }

    /// Whether it can be in a name, prefix and colon included.
    fileprivate var isPartOfName: Bool {
        if properties.isAlphabetic || properties.numericType == .decimal { return true }
        if [.nonspacingMark, .spacingMark].contains(properties.generalCategory) { return true }
        return ["_", "-", ".", ":"].contains(self)
    }
}
