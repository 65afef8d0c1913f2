import CountersignSpec
import Foundation

extension TemplateCompiler {
    /// Returns the expression for a `URL`: the field that is the whole template, literal text, or a base with a path and a query.
    func url(_ template: ResolvedTemplate) throws -> SwiftExpression {
        if let reference = try onlyReference(template), reference.type == .url {
            guard !reference.isOptional else {
                throw GenerationProblem(at: template.location, "'\(template.text)' is optional, and a URL is needed here")
            }
            return reference.access
        }
        if let text = literal(template) {
            return try LiteralCompiler.value(Located(text, at: template.location), as: .url)
        }
        var pieces = template.pieces[...]
        let base = try takeBase(&pieces, of: template)
        if pieces.contains(where: { if case .text(let text) = $0 { text.contains("#") } else { false } }) {
            throw GenerationProblem(at: template.location, "a URL with references cannot have a fragment ('#…')")
        }
        let (path, query) = split(pieces)
        if query.isEmpty, path.count == 1, case .text(let text) = path[0] {
            return "\(base).countersign(\(SwiftStringLiteral(text)))"
        }
        var arguments: [SwiftExpression.Argument] = [.init("base", base)]
        if !path.isEmpty { arguments.append(.init("path", try urlPieces(path, of: template))) }
        let items = try query.map { try queryItem($0, of: template) }
        if !items.isEmpty { arguments.append(.init("query", .list(items))) }
        return .call("URL.countersign", arguments)
    }

    /// Returns the expression for the beginning of a URL, which determines its server.
    func server(of template: ResolvedTemplate) throws -> SwiftExpression {
        if let text = literal(template) {
            return try LiteralCompiler.value(Located(text, at: template.location), as: .url)
        }
        var pieces = template.pieces[...]
        return try takeBase(&pieces, of: template)
    }

    /// Returns the text of a template without references; `nil` if the template has any.
    private func literal(_ template: ResolvedTemplate) -> String? {
        var literal = ""
        for piece in template.pieces {
            guard case .text(let text) = piece else { return nil }
            literal += text
        }
        return literal
    }

    /// Removes the beginning of a URL and returns its expression: a field of type `url`, or scheme and host as text.
    private func takeBase(_ pieces: inout ArraySlice<ResolvedTemplate.Piece>, of template: ResolvedTemplate) throws
        -> SwiftExpression
    {
        guard let first = pieces.popFirst() else {
            throw GenerationProblem(at: template.location, "a URL is needed here")
        }
        if case .text(let text) = first {
            let scheme = text.range(of: "://")?.upperBound ?? text.startIndex
            if scheme != text.startIndex, let end = text[scheme...].firstIndex(where: { $0 == "/" || $0 == "?" }) {
                pieces.insert(.text(String(text[end...])), at: pieces.startIndex)
                return try LiteralCompiler.value(Located(String(text[..<end]), at: template.location), as: .url)
            }
        } else if let reference = try reference(first, of: template), reference.type == .url, !reference.isOptional {
            return reference.access
        }
        throw GenerationProblem(
            at: template.location,
            "a URL must begin with a field of type 'url' that is always present, or with 'https://', a host and a '/'")
    }

    /// Splits what follows the base into the path and the items of the query.
    private func split(
        _ pieces: ArraySlice<ResolvedTemplate.Piece>
    ) -> (path: [ResolvedTemplate.Piece], query: [[ResolvedTemplate.Piece]]) {
        var path: [ResolvedTemplate.Piece] = []
        var items: [[ResolvedTemplate.Piece]]?
        func append(_ piece: ResolvedTemplate.Piece) {
            if let last = items?.indices.last { items?[last].append(piece) } else { path.append(piece) }
        }
        for piece in pieces {
            guard case .text(var text) = piece else {
                append(piece)
                continue
            }
            while let mark = text.firstIndex(where: { $0 == (items == nil ? "?" : "&") }) {
                if mark != text.startIndex { append(.text(String(text[..<mark]))) }
                items = (items ?? []) + [[]]
                text = String(text[text.index(after: mark)...])
            }
            if !text.isEmpty { append(.text(text)) }
        }
        return (path, (items ?? []).filter { !$0.isEmpty })
    }

    /// Returns `(name: …, value: […])`. An item whose value contains an optional field is omitted if the field has no value.
    private func queryItem(_ pieces: [ResolvedTemplate.Piece], of template: ResolvedTemplate) throws -> SwiftExpression {
        var name: [SwiftExpression.TextPart] = []
        var value: [ResolvedTemplate.Piece] = []
        var isName = true
        for piece in pieces {
            if !isName {
                value.append(piece)
            } else if case .text(let text) = piece {
                let mark = text.firstIndex(of: "=") ?? text.endIndex
                // The runtime encodes names, so percent-encoding in the spec is decoded first.
                let literal = String(text[..<mark])
                if !literal.isEmpty { name.append(.text(literal.removingPercentEncoding ?? literal)) }
                if mark != text.endIndex {
                    isName = false
                    if text.index(after: mark) != text.endIndex { value.append(.text(String(text[text.index(after: mark)...]))) }
                }
            } else {
                name.append(try part(piece, of: template))
            }
        }
        let nameText = SwiftExpression.joinedText(name)
        for (index, piece) in value.enumerated() {
            guard let reference = try reference(piece, of: template), reference.isOptional else { continue }
            var elements = try value.map { try urlPiece($0, of: template) }
            elements[index] = ".value(\(FieldReference.text(of: "value", reference.type)))"
            let mapped: SwiftExpression = "\(reference.access).map { value in \(SwiftExpression.list(elements)) }"
            return "(name: \(nameText), value: \(mapped))"
        }
        return "(name: \(nameText), value: \(try urlPieces(value, of: template)))"
    }

    private func urlPieces(_ pieces: [ResolvedTemplate.Piece], of template: ResolvedTemplate) throws -> SwiftExpression {
        .list(try pieces.map { try urlPiece($0, of: template) })
    }

    private func urlPiece(_ piece: ResolvedTemplate.Piece, of template: ResolvedTemplate) throws -> SwiftExpression {
        switch try part(piece, of: template) {
        case .text(let text): ".text(\(SwiftStringLiteral(text)))"
        case .value(let value, _): ".value(\(value))"
        }
    }
}
