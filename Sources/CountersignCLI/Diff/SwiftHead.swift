// Splits a declaration of generated code into its parts.

/// The first line or lines of a declaration, without its body and its value.
struct SwiftHead {
    /// The attributes, such as `@_spi(Generated)`.
    let attributes: [String]
    let modifiers: Set<String>
    /// The keyword, such as `func`.
    let keyword: String
    /// The text after the keyword.
    let rest: String
    /// The whole text.
    let text: String

    private static let allModifiers: Set<String> = [
        "public", "open", "package", "internal", "fileprivate", "private", "nonisolated", "final", "static", "class", "convenience",
        "override", "required", "mutating", "nonmutating", "indirect", "lazy", "weak", "dynamic", "optional",
    ]
    private static let keywords: Set<String> = [
        "struct", "class", "enum", "protocol", "extension", "actor", "func", "var", "let", "init", "typealias", "case", "import",
        "subscript", "deinit", "associatedtype",
    ]

    /// Splits a text; `nil` if it is not a declaration.
    init?(_ text: String) {
        var rest = text[...]
        var attributes: [String] = []
        var modifiers: Set<String> = []
        while true {
            if rest.hasPrefix("@") {
                let name = rest.prefix { $0.isLetter || $0 == "@" || $0 == "_" }
                var end = name.endIndex
                if rest[end...].hasPrefix("("), let close = Self.end(ofGroupAt: end, in: rest) { end = close }
                attributes.append(String(rest[..<end]))
                rest = rest[end...].drop { $0 == " " }
                continue
            }
            let word = rest.prefix { $0.isLetter }
            let next = rest[word.endIndex...]
            // `class` is also the keyword of a type.
            let isMember = ["func ", "var ", "let "].contains { next.drop { $0 == " " }.hasPrefix($0) }
            guard Self.allModifiers.contains(String(word)), word != "class" || isMember else { break }
            modifiers.insert(String(word))
            rest = (next.hasPrefix("(") ? next.drop { $0 != " " } : next).drop { $0 == " " }
        }
        let keyword = rest.prefix { $0.isLetter }
        guard Self.keywords.contains(String(keyword)) else { return nil }
        self.attributes = attributes
        self.modifiers = modifiers
        self.keyword = String(keyword)
        self.rest = String(rest[keyword.endIndex...].drop { $0 == " " })
        self.text = text
    }

    /// The name after the keyword, with its dots.
    var name: String { String(rest.prefix { $0.isLetter || $0.isNumber || "_.`".contains($0) }) }

    /// The types after the colon of a type or an extension, without their attributes.
    var inherited: [String] {
        guard let colon = rest.firstIndex(of: ":") else { return [] }
        let types = rest[rest.index(after: colon)...]
        let list = types.firstRange(of: " where ").map { types[..<$0.lowerBound] } ?? types
        return Self.parts(of: list).map { part in part.split(separator: " ").last.map(String.init) ?? part }
    }

    /// The condition after `where`; empty if there is none.
    var condition: String { rest.firstRange(of: " where ").map { String(rest[$0.upperBound...]) } ?? "" }

    /// The text without the inherited types.
    var textWithoutInherited: String {
        let end = text.firstIndex(of: ":") ?? text.endIndex
        return text[..<end] + (condition.isEmpty ? "" : " where \(condition)")
    }

    // MARK: Texts

    /// Returns the part of a text before the body or the value of a declaration, and whether all its brackets are closed.
    static func head(of text: String, keepingValue: Bool = false) -> (text: String, isComplete: Bool) {
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            if isQuoted {
                if !isEscaped, character == "\"" { isQuoted = false }
                isEscaped = !isEscaped && character == "\\"
                continue
            }
            switch character {
            case "\"": isQuoted = true
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return (trimmed(text[..<index]), true)
            case "=" where depth == 0 && !keepingValue && text[..<index].hasSuffix(" ") && (text[index...] + " ").hasPrefix("= "):
                return (trimmed(text[..<index]), true)
            default: break
            }
        }
        return (trimmed(text[...]), depth == 0)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// Returns the index after the bracket that closes the one at an index.
    static func end(ofGroupAt start: Substring.Index, in text: Substring) -> Substring.Index? {
        var depth = 0
        for index in text[start...].indices {
            if "([".contains(text[index]) { depth += 1 }
            if ")]".contains(text[index]) { depth -= 1 }
            if depth == 0 { return text.index(after: index) }
        }
        return nil
    }

    /// Returns the parts of a list that commas outside of brackets and texts separate.
    static func parts(of list: Substring) -> [String] {
        var parts: [String] = []
        var part = ""
        var depth = 0
        var isQuoted = false
        var last: Character = " "
        for character in list {
            if character == "\"", last != "\\" { isQuoted.toggle() }
            if !isQuoted {
                if "([{<".contains(character) { depth += 1 }
                if ")]}".contains(character) || character == ">" && last != "-" { depth -= 1 }
            }
            last = character
            if character == ",", depth == 0, !isQuoted {
                parts.append(trimmed(part[...]))
                part = ""
            } else {
                part.append(character)
            }
        }
        parts.append(trimmed(part[...]))
        return parts.filter { !$0.isEmpty }
    }
}
