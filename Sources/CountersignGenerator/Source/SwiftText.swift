/// Text that can be inserted in Swift source without escaping.
///
/// Plans contain only such text, and the conforming types are created by functions that escape. So text of a spec cannot reach a
/// template unescaped.
package protocol SwiftText: Sendable {
    /// The text as it stands in the source.
    var source: String { get }
}

/// The name of a type, qualified with its modules or outer types as in the spec.
package struct SwiftTypeName: SwiftText, Hashable {
    private let parts: [SwiftIdentifier]

    /// Creates a name; `nil` if a part of it is not an identifier.
    package init?(_ name: String) {
        var parts: [SwiftIdentifier] = []
        for part in name.split(separator: ".", omittingEmptySubsequences: false) {
            guard let identifier = SwiftIdentifier(String(part)) else { return nil }
            parts.append(identifier)
        }
        self.parts = parts
    }

    package var source: String { parts.map(\.source).joined(separator: ".") }
}

/// The names that need backticks wherever generated code declares or uses them.
///
/// The tool does not link swift-syntax, so it has its own table, which a test compares with the keywords of swift-syntax.
enum SwiftKeywords {
    static func contains(_ name: String) -> Bool { all.contains(name) }

    static let all = declarations.union(statements).union(expressions).union(contextual)

    private static let declarations: Set = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout", "internal",
        "let",
        "operator", "precedencegroup", "private", "protocol", "public", "static", "struct", "subscript", "typealias", "var",
    ]
    private static let statements: Set = [
        "break", "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat",
        "return", "switch", "throw", "where", "while",
    ]
    private static let expressions: Set = [
        "Any", "Self", "as", "false", "is", "nil", "rethrows", "self", "super", "throws", "true", "try",
    ]
    /// Identifiers in the grammar that have another meaning at the start of an expression or after a dot.
    private static let contextual: Set = [
        "Protocol", "Type", "any", "await", "borrow", "consume", "copy", "discard", "each", "some", "then", "unsafe", "yield",
    ]
}
