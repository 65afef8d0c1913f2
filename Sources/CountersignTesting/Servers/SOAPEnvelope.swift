/// An element of a SOAP message, with resolved namespaces and its source bytes.
struct SOAPElement: Sendable {
    /// The namespace of the name; empty for none.
    let namespace: String
    /// The name without the prefix.
    let name: String
    /// The attributes by their names without prefixes, with the values as written and without namespace declarations.
    let attributes: [String: String]
    /// The child elements.
    let children: [SOAPElement]
    /// The source of the element without namespace declarations. It remains the same when the element is moved to another
    /// document.
    let source: [UInt8]

    /// Returns the first child with a name.
    func first(_ name: String, in namespace: String) -> SOAPElement? {
        children.first { $0.name == name && $0.namespace == namespace }
    }
}

/// A SOAP 1.1 message.
struct SOAPEnvelope: Sendable {
    static let namespace = "http://schemas.xmlsoap.org/soap/envelope/"

    /// The blocks of the header.
    let header: [SOAPElement]
    /// The elements of the body.
    let body: [SOAPElement]

    /// Parses a message; `nil` if it is not well-formed XML, has a document type declaration or an undeclared prefix, or is not
    /// SOAP.
    init?(_ bytes: some Sequence<UInt8>) {
        var reader = Reader(bytes: Array(bytes))
        guard let root = reader.document(), root.name == "Envelope", root.namespace == Self.namespace else { return nil }
        let parts = root.children
        guard parts.allSatisfy({ $0.namespace == Self.namespace }), let body = parts.last, body.name == "Body" else { return nil }
        guard parts.dropLast().allSatisfy({ $0.name == "Header" }), parts.count <= 2 else { return nil }
        header = parts.count == 2 ? parts[0].children : []
        self.body = body.children
    }

    /// Returns the first header block with a name.
    func block(_ name: String, in namespace: String) -> SOAPElement? {
        header.first { $0.name == name && $0.namespace == namespace }
    }

    /// Returns the element in the body if it is the only one and has this name.
    func content(_ name: String, in namespace: String) -> SOAPElement? {
        guard body.count == 1, let element = body.first, element.name == name, element.namespace == namespace else { return nil }
        return element
    }
}

/// Parses the subset of XML 1.0 with namespaces that these messages use.
private struct Reader {
    /// The declared namespaces by prefix; the default namespace has an empty prefix.
    typealias Scope = [String: String]

    private static let maximumDepth = 64
    private static let instance = "http://www.w3.org/2001/XMLSchema-instance"

    let bytes: [UInt8]
    private var place = 0
    /// The positions of namespace declarations, in order.
    private var declarations: [Range<Int>] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() -> SOAPElement? {
        guard String(validating: bytes, as: UTF8.self) != nil, skipMisc() else { return nil }
        let scope = ["xml": "http://www.w3.org/XML/1998/namespace"]
        guard let root = element(in: scope, depth: 0), skipMisc(), place == bytes.count else { return nil }
        return root
    }

    private mutating func element(in outer: Scope, depth: Int) -> SOAPElement? {
        let start = place
        guard depth < Self.maximumDepth, take("<"), let tag = name() else { return nil }
        var scope = outer
        var written: [(name: String, value: String)] = []
        while let attribute = attribute() {
            guard !written.contains(where: { $0.name == attribute.name }) else { return nil }
            written.append(attribute)
            if attribute.name == "xmlns" { scope[""] = attribute.value }
            if attribute.name.hasPrefix("xmlns:") { scope[String(attribute.name.dropFirst(6))] = attribute.value }
        }
        skipSpace()
        guard let (namespace, local) = resolved(tag, scope[""] ?? "", scope), let attributes = attributes(written, in: scope)
        else { return nil }
        var children: [SOAPElement] = []
        if !take("/>") {
            guard take(">"), let content = content(in: scope, depth: depth), take("</"), name() == tag else { return nil }
            skipSpace()
            guard take(">") else { return nil }
            children = content
        }
        return SOAPElement(
            namespace: namespace, name: local, attributes: attributes, children: children, source: source(from: start))
    }

    /// Parses the content of an element up to its end tag, and returns the child elements.
    private mutating func content(in scope: Scope, depth: Int) -> [SOAPElement]? {
        var children: [SOAPElement] = []
        while place < bytes.count {
            if isAt("</") { return children }
            if take("<!--") {
                guard skip(behind: "-->") else { return nil }
            } else if take("<![CDATA[") {
                guard skip(behind: "]]>") else { return nil }
            } else if take("<?") {
                guard skip(behind: "?>") else { return nil }
            } else if isAt("<") {
                guard let child = element(in: scope, depth: depth + 1) else { return nil }
                children.append(child)
            } else {
                // `]]>` and a `&` that begins no reference are not allowed in text (XML 1.0, section 2.4).
                guard !isAt("]]>"), !isAt("&") || isReference else { return nil }
                place += 1
            }
        }
        return nil
    }

    /// Parses an attribute after the required white space; `nil` if there is no valid one.
    private mutating func attribute() -> (name: String, value: String)? {
        let start = place
        skipSpace()
        guard place > start, let name = name() else {
            place = start
            return nil
        }
        skipSpace()
        guard take("=") else { return nil }
        skipSpace()
        let quote = isAt("'") ? "'" : "\""
        guard take(quote) else { return nil }
        let value = place
        while place < bytes.count, !isAt(quote) {
            guard !isAt("<"), !isAt("&") || isReference else { return nil }
            place += 1
        }
        defer { if name == "xmlns" || name.hasPrefix("xmlns:") { declarations.append(start..<place) } }
        let end = place
        guard take(quote) else { return nil }
        return (name, String(decoding: bytes[value..<end], as: UTF8.self))
    }

    /// Returns the attributes other than namespace declarations; `nil` if a name or an XML Schema type has an undeclared prefix.
    private func attributes(_ written: [(name: String, value: String)], in scope: Scope) -> [String: String]? {
        var attributes: [String: String] = [:]
        for (name, value) in written where name != "xmlns" && !name.hasPrefix("xmlns:") {
            guard let (namespace, local) = resolved(name, "", scope) else { return nil }
            if local == "type", namespace == Self.instance, resolved(value, "", scope) == nil { return nil }
            attributes[local] = value
        }
        return attributes
    }

    /// Returns the namespace and the local part of a name; `nil` if the prefix is not declared.
    private func resolved(_ name: String, _ unprefixed: String, _ scope: Scope) -> (namespace: String, name: String)? {
        guard let colon = name.firstIndex(of: ":") else { return (unprefixed, name) }
        return scope[String(name[..<colon])].map { ($0, String(name[name.index(after: colon)...])) }
    }

    /// Returns the source since a position, without namespace declarations.
    private func source(from start: Int) -> [UInt8] {
        var kept: [UInt8] = []
        var next = start
        for declaration in declarations where declaration.lowerBound >= start {
            kept += bytes[next..<declaration.lowerBound]
            next = declaration.upperBound
        }
        return kept + bytes[next..<place]
    }

    // MARK: Bytes

    /// Whether the position is at a character reference or one of the predefined entities of XML.
    private var isReference: Bool {
        if ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"].contains(where: isAt) { return true }
        guard isAt("&#"), let end = bytes[place...].firstIndex(of: UInt8(ascii: ";")), end > place + 2 else { return false }
        let number = String(decoding: bytes[(place + 2)..<end], as: UTF8.self)
        return (number.first == "x" ? UInt32(number.dropFirst(), radix: 16) : UInt32(number)).flatMap(Unicode.Scalar.init) != nil
    }

    private mutating func name() -> String? {
        let start = place
        while place < bytes.count, Self.isOfName(bytes[place]) { place += 1 }
        guard place > start, !(0x30...0x39).contains(bytes[start]), bytes[start] != UInt8(ascii: "-") else { return nil }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...0xFF: true
        default: false
        }
    }

    private mutating func skipSpace() {
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    }

    /// Skips white space, comments and processing instructions around the root element. Returns `false` at a document type
    /// declaration.
    private mutating func skipMisc() -> Bool {
        while true {
            skipSpace()
            if take("<!--") {
                guard skip(behind: "-->") else { return false }
            } else if take("<?") {
                guard skip(behind: "?>") else { return false }
            } else {
                return !isAt("<!")
            }
        }
    }

    private mutating func skip(behind end: String) -> Bool {
        while place < bytes.count {
            if take(end) { return true }
            place += 1
        }
        return false
    }

    private mutating func take(_ text: String) -> Bool {
        guard isAt(text) else { return false }
        place += text.utf8.count
        return true
    }

    private func isAt(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }
}
