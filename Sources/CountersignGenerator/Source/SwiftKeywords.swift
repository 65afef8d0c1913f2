/// The names that need backticks wherever generated code declares or uses them.
///
/// The tool does without swift-syntax, so it has a table of its own; a test compares it with swift-syntax's keywords.
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
    /// Identifiers to the grammar, but read as something else at the start of an expression or after a dot.
    private static let contextual: Set = [
        "Protocol", "Type", "any", "await", "borrow", "consume", "copy", "discard", "each", "some", "then", "unsafe", "yield",
    ]
}
