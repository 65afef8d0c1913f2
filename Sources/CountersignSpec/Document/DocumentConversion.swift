import Yams

/// Converts the tree of Yams to document nodes, and reports YAML features that the language does not support.
struct DocumentConversion {
    static let maximumDepth = 100
    static let maximumNodes = 20_000
    static let nestingMessage = "the nesting is deeper than \(maximumDepth) levels"

    private let source: SourceText
    /// The original names of keys that were renamed for Yams, by the index of the replaced character.
    private let renamedKeys: [Int: String]
    private var visitedNodes = 0

    init(source: SourceText, renamedKeys: [Int: String]) {
        self.source = source
        self.renamedKeys = renamedKeys
    }

    /// - Returns: `nil` if the document is too deep or too large, which is reported once.
    mutating func convert(_ root: Node, into diagnostics: inout DiagnosticCollector) -> DocumentNode? {
        do throws(Excess) {
            return try convert(root, fallback: SourceSpan(location: source.location(at: 0), length: 1), depth: 1, &diagnostics)
        } catch {
            let message =
                error.code == .nestingTooDeep
                ? Self.nestingMessage : "the file expands to more than \(Self.maximumNodes) values"
            diagnostics.report(error.code, message, at: error.span)
            return nil
        }
    }

    /// The error that ends the conversion of a document that is too deep or too large.
    private struct Excess: Error {
        let code: DiagnosticCode
        let span: SourceSpan
    }

    /// - Parameter fallback: The span of a missing value.
    private mutating func convert(
        _ node: Node, fallback: SourceSpan, depth: Int, _ diagnostics: inout DiagnosticCollector
    ) throws(Excess) -> DocumentNode {
        let token = token(of: node)
        let start = SourceSpan(location: source.location(at: token.index), length: 1)
        visitedNodes += 1
        guard depth <= Self.maximumDepth else { throw Excess(code: .nestingTooDeep, span: start) }
        guard visitedNodes <= Self.maximumNodes else { throw Excess(code: .tooManyNodes, span: start) }
        if let index = token.tagIndex {
            let span = SourceSpan(location: source.location(at: index), length: 1)
            diagnostics.report(.tag, "tags are not part of the language; write the plain value", at: span)
        }
        switch node {
        case .scalar(let scalar):
            if scalar.style == .plain, scalar.string.isEmpty {
                return DocumentNode(content: .nothing, span: fallback, textStart: nil)
            }
            return DocumentNode(
                content: .text(scalar.string), span: token.span(of: scalar.string), textStart: token.textStart(of: scalar.string),
                isPlain: scalar.style == .plain)
        case .sequence(let sequence):
            var items: [DocumentNode] = []
            for item in sequence {
                items.append(try convert(item, fallback: start, depth: depth + 1, &diagnostics))
            }
            return DocumentNode(content: .list(items), span: start, textStart: nil)
        case .mapping(let mapping):
            let entries = try convert(mapping, depth: depth, &diagnostics)
            return DocumentNode(content: .mapping(entries), span: start, textStart: nil)
        case .alias:
            // The parser replaces each alias by the anchored node. Only the emitter uses this case.
            return DocumentNode(content: .nothing, span: fallback, textStart: nil)
        }
    }

    private mutating func convert(
        _ mapping: Node.Mapping, depth: Int, _ diagnostics: inout DiagnosticCollector
    ) throws(Excess) -> [DocumentNode.Entry] {
        var entries: [DocumentNode.Entry] = []
        var firstUses: [String: SourceLocation] = [:]
        for (keyNode, valueNode) in mapping {
            guard var key = key(keyNode, &diagnostics) else { continue }
            key.value = try convert(valueNode, fallback: key.keySpan, depth: depth + 1, &diagnostics)
            let name = key.key.value
            if name == "<<" {
                diagnostics.report(
                    .mergeKey, "merge keys are not part of the language; write the keys, or alias a whole value", at: key.keySpan)
            } else if let first = firstUses[name] {
                diagnostics.report(
                    .duplicateKey, "the key '\(name)' is in this mapping already", at: key.keySpan,
                    notes: [Diagnostic.Note("first used here", at: first)])
            } else {
                firstUses[name] = key.key.location
                entries.append(key)
            }
        }
        return entries
    }

    /// Returns a key without its value.
    private func key(_ node: Node, _ diagnostics: inout DiagnosticCollector) -> DocumentNode.Entry? {
        let token = token(of: node)
        guard case .scalar(let scalar) = node else {
            let start = SourceSpan(location: source.location(at: token.index), length: 1)
            guard let reference = node.unquotedReference else {
                diagnostics.report(.wrongShape, "a key must be a text", at: start)
                return nil
            }
            diagnostics.report(unquoted: reference, at: start)
            return DocumentNode.Entry(
                key: Located(reference, at: start.location), keySpan: start, keyTextStart: nil,
                value: DocumentNode(content: .nothing, span: start, textStart: nil))
        }
        if let index = token.tagIndex {
            let span = SourceSpan(location: source.location(at: index), length: 1)
            diagnostics.report(.tag, "tags are not part of the language; write the plain value", at: span)
        }
        let text = token.renamableIndex.flatMap { renamedKeys[$0] } ?? scalar.string
        let span = token.span(of: text)
        return DocumentNode.Entry(
            key: Located(text, at: span.location), keySpan: span, keyTextStart: token.textStart(of: text),
            value: DocumentNode(content: .nothing, span: span, textStart: nil))
    }

    private func token(of node: Node) -> ScalarToken {
        let mark = node.mark
        return ScalarToken(at: source.index(line: mark?.line ?? 1, column: mark?.column ?? 1), in: source)
    }
}

extension Node {
    /// The reference that was probably meant by a mapping like `{name}`.
    fileprivate var unquotedReference: String? {
        guard case .mapping(let mapping) = self, mapping.count == 1, let (key, value) = mapping.first,
            case .scalar(let name) = key, case .scalar(let nothing) = value, nothing.string.isEmpty, name.string.isReference
        else { return nil }
        return "{\(name.string)}"
    }
}
