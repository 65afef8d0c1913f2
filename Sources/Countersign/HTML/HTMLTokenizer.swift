/// Splits an HTML text into tags and text, as a browser without JavaScript would see them.
///
/// It follows the tokenization of the HTML standard as far as forms need it. It accepts any text and visits each byte a bounded
/// number of times. Comments, declarations, and the contents of scripts and styles are omitted.
package struct HTMLTokenizer: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position = 0
    /// The element that was just opened and whose content is text up to its end tag.
    private var textElement: String?

    package init(_ text: String) { bytes = Array(text.utf8) }

    package mutating func next() -> HTMLToken? {
        if let element = textElement {
            textElement = nil
            if let text = content(of: element) { return .text(text) }
        }
        while position < bytes.count {
            if let token = bytes[position] == UInt8(ascii: "<") ? markup() : text() { return token }
        }
        return nil
    }

    // MARK: Text

    private mutating func text() -> HTMLToken {
        let end = index(of: UInt8(ascii: "<"), from: position + 1)
        defer { position = end }
        return .text(HTMLCharacterReferences.resolve(bytes[position..<end], inAttribute: false))
    }

    /// Returns the content of a title or text area; `nil` for a script or a style, whose content is skipped.
    private mutating func content(of element: String) -> String? {
        let start = position
        let name = Array(element.utf8)
        while position < bytes.count {
            position = index(of: UInt8(ascii: "<"), from: position)
            if isEndTag(named: name, at: position) { break }
            position = Swift.min(position + 1, bytes.count)
        }
        guard Self.readableTextElements.contains(element) else { return nil }
        return HTMLCharacterReferences.resolve(bytes[start..<position], inAttribute: false)
    }

    private func isEndTag(named name: [UInt8], at start: Int) -> Bool {
        let end = start + 2 + name.count
        guard end < bytes.count, bytes[start + 1] == UInt8(ascii: "/"), Self.isTagNameEnd(bytes[end]) else { return false }
        return bytes[(start + 2)..<end].elementsEqual(name) { Self.lowercased($0) == $1 }
    }

    // MARK: Markup

    /// Parses markup that begins with `<`; `nil` if it is skipped.
    private mutating func markup() -> HTMLToken? {
        switch byte(at: position + 1) {
        case let letter? where Self.isLetter(letter):
            position += 1
            return startTag()
        case UInt8(ascii: "/"):
            guard let next = byte(at: position + 2), Self.isLetter(next) else { return skipDeclaration() }
            position += 2
            let name = takeName()
            _ = takeAttributes()
            return .endTag(name)
        case UInt8(ascii: "!"):
            return bytes[position...].starts(with: "<!--".utf8) ? skipComment() : skipDeclaration()
        case UInt8(ascii: "?"):
            return skipDeclaration()
        default:
            return text()
        }
    }

    private mutating func startTag() -> HTMLToken? {
        let name = takeName()
        // A tag without its `>` at the end of the text is dropped.
        guard let attributes = takeAttributes() else { return nil }
        if Self.textElements.contains(name) { textElement = name }
        return .startTag(HTMLTag(name: name, attributes: attributes))
    }

    private mutating func takeName() -> String {
        let start = position
        while let byte = byte(at: position), !Self.isTagNameEnd(byte) { position += 1 }
        return Self.name(bytes[start..<position])
    }

    /// Parses the attributes up to and including the tag's `>`; `nil` if it is missing.
    private mutating func takeAttributes() -> [String: String]? {
        var attributes: [String: String] = [:]
        while let byte = byte(at: position) {
            if byte == UInt8(ascii: ">") {
                position += 1
                return attributes
            }
            if Self.isSpace(byte) || byte == UInt8(ascii: "/") {
                position += 1
                continue
            }
            let (name, value) = takeAttribute()
            attributes[name] = attributes[name] ?? value
        }
        return nil
    }

    private mutating func takeAttribute() -> (name: String, value: String) {
        let start = position
        // The first character always belongs to the name, even if it is an equals sign.
        position += 1
        while let byte = byte(at: position), !Self.isTagNameEnd(byte), byte != UInt8(ascii: "=") { position += 1 }
        let name = Self.name(bytes[start..<position])
        skipSpace()
        guard byte(at: position) == UInt8(ascii: "=") else { return (name, "") }
        position += 1
        skipSpace()
        return (name, HTMLCharacterReferences.resolve(takeAttributeValue(), inAttribute: true))
    }

    private mutating func takeAttributeValue() -> ArraySlice<UInt8> {
        guard let quote = byte(at: position), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let start = position
            while let byte = byte(at: position), !Self.isSpace(byte), byte != UInt8(ascii: ">") { position += 1 }
            return bytes[start..<position]
        }
        let start = position + 1
        let end = index(of: quote, from: start)
        position = Swift.min(end + 1, bytes.count)
        return bytes[start..<end]
    }

    private mutating func skipSpace() {
        while let byte = byte(at: position), Self.isSpace(byte) { position += 1 }
    }

    private mutating func skipDeclaration() -> HTMLToken? {
        position = Swift.min(index(of: UInt8(ascii: ">"), from: position) + 1, bytes.count)
        return nil
    }

    private mutating func skipComment() -> HTMLToken? {
        // `<!-->` and `<!--->` are whole comments, so the closing dashes may be the opening ones.
        var end = index(of: UInt8(ascii: ">"), from: position + 4)
        while end < bytes.count {
            let before = bytes[(position + 2)..<end]
            if before.hasSuffix("--") || (before.hasSuffix("--!") && before.count > 4) { break }
            end = index(of: UInt8(ascii: ">"), from: end + 1)
        }
        position = Swift.min(end + 1, bytes.count)
        return nil
    }

    // MARK: Bytes

    private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Returns the index of the next occurrence of a byte, or the end.
    private func index(of byte: UInt8, from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != byte { index += 1 }
        return Swift.min(index, bytes.count)
    }

    private static func name(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map(lowercased), as: UTF8.self)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
    }

    private static func isTagNameEnd(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
    }

    private static let readableTextElements: Set = ["title", "textarea"]
    private static let textElements: Set = readableTextElements.union(["script", "style", "xmp", "iframe", "noembed", "noframes"])
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ text: StaticString) -> Bool {
        suffix(text.utf8CodeUnitCount).elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
