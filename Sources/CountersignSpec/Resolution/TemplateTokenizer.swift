/// Splits a text into literals and `{references}`. `{{` and `}}` are literal braces, and `$$` before a reference is a literal `$`.
///
/// A reference has up to three names, and in a method a `?` at its end for a value that may be absent.
struct TemplateTokenizer {
    enum Token {
        case text(String, SourceSpan)
        case reference(String, SourceSpan)
    }

    private let scalars: [Unicode.Scalar]
    private let names: [String]
    private let allowsMarks: Bool
    private let node: DocumentNode
    private var index = 0
    private var literal = String.UnicodeScalarView()
    private var literalStart = 0
    private var tokens: [Token] = []
    private var isWellFormed = true

    /// - Parameters:
    ///   - names: The names to which references can refer. A name of these in doubled braces was probably meant as a reference.
    ///   - allowsMarks: Whether a `?` can follow a name.
    ///   - node: The node with the text.
    /// - Returns: `nil` if the braces are wrong; each mistake is reported.
    static func tokens(
        of text: String, naming names: [String], allowingMarks allowsMarks: Bool = false, at node: DocumentNode,
        into diagnostics: inout DiagnosticCollector
    ) -> [Token]? {
        var tokenizer = TemplateTokenizer(scalars: Array(text.unicodeScalars), names: names, allowsMarks: allowsMarks, node: node)
        while tokenizer.index < tokenizer.scalars.count { tokenizer.advance(into: &diagnostics) }
        tokenizer.endLiteral()
        return tokenizer.isWellFormed ? tokenizer.tokens : nil
    }

    private init(scalars: [Unicode.Scalar], names: [String], allowsMarks: Bool, node: DocumentNode) {
        self.scalars = scalars
        self.names = names
        self.allowsMarks = allowsMarks
        self.node = node
    }

    private mutating func advance(into diagnostics: inout DiagnosticCollector) {
        let scalar = scalars[index]
        guard scalar == "{" || scalar == "}" else {
            literal.append(scalar)
            index += 1
            return
        }
        if index + 1 < scalars.count, scalars[index + 1] == scalar {
            if scalar == "{", let name = doubledReference {
                report(
                    "'{{\(name)}}' is the text '{\(name)}'; a reference is '{\(name)}'", length: name.count + 4, into: &diagnostics)
            }
            literal.append(scalar)
            index += 2
        } else if scalar == "{" {
            let followsDollar = Array(literal.suffix(2)) == ["$", "$"]
            if followsDollar { literal.removeLast() }
            endLiteral()
            readReference(followingDollar: followsDollar, into: &diagnostics)
            literalStart = index
        } else {
            report("unexpected closing brace; write '}}' for a literal brace", length: 1, into: &diagnostics)
            index += 1
        }
    }

    /// Reads a reference from its opening to its closing brace.
    ///
    /// - Parameter followsDollar: Whether the literal before it ends with a dollar sign on purpose.
    private mutating func readReference(followingDollar followsDollar: Bool, into diagnostics: inout DiagnosticCollector) {
        let name = scalars[(index + 1)...].prefix { $0 != "}" && $0 != "{" }
        let end = index + 1 + name.count
        guard end < scalars.count, scalars[end] == "}" else {
            report("the brace is not closed; write '{{' for a literal brace", length: 1, into: &diagnostics)
            index = end
            return
        }
        if index > 0, scalars[index - 1] == "$", !followsDollar {
            report(
                "a reference is '{\(String(scalars: name))}', without '$'; write '$$' for a dollar sign before it",
                length: name.count + 2, into: &diagnostics)
        } else if isReference(String(scalars: name)) {
            tokens.append(.reference(String(scalars: name), node.span(from: index + 1, length: name.count)))
        } else {
            report(
                "a reference is a name in braces; write '{{' for a literal brace", length: name.count + 2,
                into: &diagnostics)
        }
        index = end + 1
    }

    private func isReference(_ name: String) -> Bool { allowsMarks ? name.isMarkedReference : name.isReference }

    /// The name in doubled braces that begin here, if a reference can have this name.
    private var doubledReference: String? {
        let name = scalars[(index + 2)...].prefix { $0 != "}" && $0 != "{" }
        let end = index + 2 + name.count
        guard end + 1 < scalars.count, scalars[end] == "}", scalars[end + 1] == "}" else { return nil }
        let text = String(scalars: name)
        return names.contains(text) || allowsMarks && names.contains(text.withoutAbsenceMark) ? text : nil
    }

    private mutating func endLiteral() {
        guard !literal.isEmpty else { return }
        tokens.append(.text(String(literal), node.span(from: literalStart, length: index - literalStart)))
        literal = String.UnicodeScalarView()
    }

    private mutating func report(_ message: String, length: Int, into diagnostics: inout DiagnosticCollector) {
        diagnostics.report(.malformedTemplate, message, at: node.span(from: index, length: length))
        isWellFormed = false
    }
}

extension String {
    /// Whether the text is a valid reference without a mark: a name, or two names separated by a dot.
    var isReference: Bool { isReference(ofAtMost: 2) }

    /// Whether the text is a valid reference in a method, with up to three names, and a mark if the value may be absent.
    var isMarkedReference: Bool { withoutAbsenceMark.isReference(ofAtMost: 3) }

    /// The text without the `?` of a reference to a value that may be absent.
    var withoutAbsenceMark: String { hasSuffix("?") ? String(dropLast()) : self }

    private func isReference(ofAtMost count: Int) -> Bool {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= count && parts.allSatisfy { String($0).isIdentifier }
    }
}
