import Stencil

/// The check that a template uses only a subset of Stencil's language.
///
/// Stencil looks up the first name of a path in its own dictionary, which cannot report an unknown name. So names are checked
/// here, against the root and the enclosing loops. The rest of the language is not allowed, because it makes decisions, which
/// belong to the plan, or fails silently.
struct TemplateSyntaxCheck {
    /// The only name that every template starts from.
    static let root = "it"

    private var loopVariables: [String] = []
    private var openTags: [String] = []

    /// Checks a template.
    static func check(_ template: Template, text: String, name: String) throws(RenderingError) {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw RenderingError(template: name, message: "a template is ASCII, or Stencil misreads what follows")
        }
        var check = TemplateSyntaxCheck()
        for token in template.tokens {
            if let message = check.problem(with: token) {
                throw RenderingError(template: name, message: "\(message) in '\(token.contents)'")
            }
        }
        if let tag = check.openTags.last {
            throw RenderingError(template: name, message: "'\(tag)' is not closed")
        }
    }

    private mutating func problem(with token: Token) -> String? {
        switch token.kind {
        case .text, .comment: return nil
        case .variable:
            guard token.components.count == 1, let path = token.components.first else { return "only a path can stand" }
            return problem(withPath: path)
        case .block:
            let words = token.components
            switch (words.first, words.count) {
            case ("for", 4) where words[2] == "in" && SwiftIdentifier(words[1]) != nil:
                let problem = problem(withPath: words[3])
                openTags.append("for")
                loopVariables.append(words[1])
                return problem
            case ("if", 2):
                openTags.append("if")
                return problem(withPath: words[1])
            case ("else", 1): return openTags.last == "if" ? nil : "no 'if' is open"
            case ("endif", 1): return openTags.popLast() == "if" ? nil : "no 'if' is open"
            case ("endfor", 1):
                _ = loopVariables.popLast()
                return openTags.popLast() == "for" ? nil : "no 'for' is open"
            default: return "a tag that templates do without"
            }
        }
    }

    private func problem(withPath path: String) -> String? {
        let parts = path.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ SwiftIdentifier(String($0)) != nil }), let first = parts.first else {
            return "only a path can stand"
        }
        // Stencil defines these properties for every string and array, and one of them traps on an empty array.
        if let property = parts.dropFirst().first(where: { ["first", "last", "count"].contains($0) }) {
            return "'\(property)' is Stencil's own"
        }
        return first == Self.root || loopVariables.contains(String(first)) ? nil : "there is no '\(first)'"
    }
}
