/// A value of a spec file with its place: the part of YAML without tags, anchors and types.
package struct DocumentNode: Sendable {
    package enum Content: Sendable {
        case text(String)
        case list([DocumentNode])
        case mapping([Entry])
        /// A key or list item without a value.
        case nothing
    }

    /// A key and its value.
    package struct Entry: Sendable {
        package let key: Located<String>
        /// The span to underline for the key.
        package let keySpan: SourceSpan
        /// The location of the key's first character after an opening quote; `nil` if the key is written with escapes.
        let keyTextStart: SourceLocation?
        package var value: DocumentNode

        /// The key as a value, for keys that are templates.
        var keyNode: DocumentNode { DocumentNode(content: .text(key.value), span: keySpan, textStart: keyTextStart) }
    }

    package var content: Content
    package let span: SourceSpan
    /// The location of a text's first character, from which locations in the text are computed; `nil` unless the text is on one
    /// line and without escapes.
    let textStart: SourceLocation?
    /// Whether the text is unquoted, so that it can be a number or a Boolean in JSON.
    package internal(set) var isPlain = false

    /// The text with its place, if it is a text.
    package var text: Located<String>? {
        guard case .text(let text) = content else { return nil }
        return Located(text, at: span.location)
    }

    /// The items, if it is a list; empty otherwise.
    package var items: [DocumentNode] {
        guard case .list(let items) = content else { return [] }
        return items
    }

    /// The entries, if it is a mapping; empty otherwise.
    package var entries: [Entry] {
        guard case .mapping(let entries) = content else { return [] }
        return entries
    }

    /// Returns the entry of a key, if the node is a mapping with this key.
    package func entry(_ key: String) -> Entry? { entries.first { $0.key.value == key } }

    /// The value of a key, if the node is a mapping with this key.
    package subscript(_ key: String) -> DocumentNode? { entry(key)?.value }

    /// Returns the span of a part of the text if it can be computed, otherwise that of the whole text.
    func span(from offset: Int, length: Int) -> SourceSpan {
        guard let textStart else { return span }
        return SourceSpan(
            location: SourceLocation(file: textStart.file, line: textStart.line, column: textStart.column + offset), length: length)
    }

    /// The kind of the node, for messages.
    var kind: String {
        switch content {
        case .text: "a text"
        case .list: "a list"
        case .mapping: "a mapping"
        case .nothing: "nothing"
        }
    }
}
