/// An XML 1.0 document without a document type. A document type is rejected, because it can declare entities to expand and files
/// to fetch.
///
/// Namespaces are ignored: elements and attributes are identified by local names. An extracted element keeps its source text and
/// gets the namespace declarations of its ancestors, so that a signature over it stays valid.
struct XMLTree: Sendable, Hashable {
    struct Element: Sendable, Hashable {
        let name: String
        let attributes: [(name: String, value: String)]
        /// The namespace declarations: `xmlns` or `xmlns:prefix`, and the quoted value as it was written.
        fileprivate let declarations: [(name: Substring, value: String)]
        /// The position of the element in the document, and the end of its name.
        fileprivate let start: String.Index
        fileprivate let nameEnd: String.Index
        fileprivate(set) var end: String.Index
        fileprivate(set) var children: [Element] = []
        /// The text of the element, without that of its children.
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

    /// - Returns: `nil` if the bytes are not such a document in UTF-8, or if it is nested too deeply.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.allSatisfy(\.isOfXML) else { return nil }
        var reader = XMLReader(text)
        guard let root = reader.document() else { return nil }
        self.root = root
        source = text
    }

    /// The text of the first element at a path such as `/Envelope/Body`, or of its attribute at a path such as
    /// `/Envelope/Body/@id`.
    subscript(path: String) -> String? {
        let names = path.split(separator: "/")
        guard let first = names.first, first == root.name else { return nil }
        return Self.text(in: root, at: names.dropFirst())
    }

    /// Returns the first element at a path as it was written, with the namespace declarations of its ancestors; `nil` if there is
    /// none.
    func element(at path: String) -> String? {
        let names = path.split(separator: "/")
        guard let first = names.first, first == root.name else { return nil }
        return element(in: root, at: names.dropFirst(), declared: [:])
    }

    /// - Parameter declared: The namespace declarations of the ancestors.
    private func element(in element: Element, at path: ArraySlice<Substring>, declared: [Substring: String]) -> String? {
        guard let name = path.first else {
            let own = Set(element.declarations.map(\.name))
            // All declarations are included, because texts may use prefixes too, and a signature may cover any of them. Without a
            // default namespace, `xmlns=""` keeps the element from getting one elsewhere.
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

    /// Escapes a text for an element, or for an attribute with either kind of quotes; `nil` if it has a character that XML does
    /// not allow.
    static func escaped(_ text: String) -> String? {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // These characters would be normalised by a parser, or end an attribute.
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

/// Parses XML by Unicode scalars, because `>` and a combining mark after it are one `Character`.
private struct XMLReader {
    private var rest: Substring.UnicodeScalarView
    /// The maximum nesting depth. Functions that walk the tree are recursive, so each level takes stack space.
    private static let maximumDepth = 64
    /// The maximum number of namespace declarations, since an extracted element repeats those of its ancestors.
    private static let maximumDeclarations = 256
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

    /// Skips a comment. It must not contain `--` (XML 1.0, section 2.5), because other parsers could see another end of it.
    private mutating func skipComment() -> Bool {
        rest = rest.dropFirst(4)
        guard let comment = text(before: "--"), !comment.hasSuffix("-"), rest.first == ">" else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Returns the text before a delimiter, and skips both.
    private mutating func text(before end: String) -> Substring? {
        guard let range = rest.firstRange(of: end.unicodeScalars) else { return nil }
        defer { rest = rest[range.upperBound...] }
        return Substring(rest[..<range.lowerBound])
    }

    /// Parses one element. A list of the open elements replaces recursion, so that depth takes no stack space.
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
                guard let (tag, element, isEmpty) = beginning(), open.count < Self.maximumDepth else { return nil }
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
                    // `]]>` is allowed only at the end of a CDATA section (section 2.4).
                    text.firstRange(of: "]]>".unicodeScalars) == nil
                else { return nil }
                open[last].element.text += value
                rest = rest[text.endIndex...]
            }
        }
    }

    /// Parses a start tag: its name with the prefix, the element, and whether the tag also ends the element.
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
            // A namespace declaration is not an attribute.
            if name == "xmlns" || name.hasPrefix("xmlns:") {
                self.declarations += 1
                guard self.declarations <= Self.maximumDeclarations else { return nil }
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

    /// Returns a text with its references replaced; `nil` for an entity that XML does not predefine.
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
    /// Whether a document may contain the character (XML 1.0, section 2.2).
    fileprivate var isOfXML: Bool {
        switch value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// Whether the character is white space in XML.
    fileprivate var isSpace: Bool { [" ", "\t", "\n", "\r"].contains(self) }

    /// Whether a name may contain the character, including the colon after a prefix.
    fileprivate var isPartOfName: Bool {
        if properties.isAlphabetic || properties.numericType == .decimal { return true }
        if [.nonspacingMark, .spacingMark].contains(properties.generalCategory) { return true }
        return ["_", "-", ".", ":"].contains(self)
    }
}
