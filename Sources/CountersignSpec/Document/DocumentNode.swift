/// A value of a spec file, with its place: what is left of YAML when tags, anchors and types are gone.
struct DocumentNode: Sendable {
    enum Content: Sendable {
        case text(String)
        case list([DocumentNode])
        case mapping([Entry])
        /// A key or list item without a value.
        case nothing
    }

    /// A key and its value.
    struct Entry: Sendable {
        let key: Located<String>
        /// What is underlined for the key.
        let keySpan: SourceSpan
        /// Where the key's first character stands, if the key is written without escapes; a quote stands before it.
        let keyTextStart: SourceLocation?
        var value: DocumentNode

        /// The key as a value, for keys that are templates.
        var keyNode: DocumentNode { DocumentNode(content: .text(key.value), span: keySpan, textStart: keyTextStart) }
    }

    var content: Content
    let span: SourceSpan
    /// Where a text's first character stands, if it is written on one line and without escapes, so that places in it can be computed.
    let textStart: SourceLocation?
    /// Whether it is a text without quotes, which can be a number or a truth value where JSON is written.
    var isPlain = false

    /// The text with its place, if it is a text.
    var text: Located<String>? {
        guard case .text(let text) = content else { return nil }
        return Located(text, at: span.location)
    }

    /// The items, if it is a list; empty otherwise.
    var items: [DocumentNode] {
        guard case .list(let items) = content else { return [] }
        return items
    }

    /// The entries, if it is a mapping; empty otherwise.
    var entries: [Entry] {
        guard case .mapping(let entries) = content else { return [] }
        return entries
    }

    /// The entry of a key, if it is a mapping and has it.
    func entry(_ key: String) -> Entry? { entries.first { $0.key.value == key } }

    /// The value of a key, if it is a mapping and has it.
    subscript(_ key: String) -> DocumentNode? { entry(key)?.value }

    /// The place of a part of the text: exact if that can be computed, otherwise the whole text.
    func span(from offset: Int, length: Int) -> SourceSpan {
        guard let textStart else { return span }
        return SourceSpan(
            location: SourceLocation(file: textStart.file, line: textStart.line, column: textStart.column + offset), length: length)
    }

    /// What it is, for messages.
    var kind: String {
        switch content {
        case .text: "a text"
        case .list: "a list"
        case .mapping: "a mapping"
        case .nothing: "nothing"
        }
    }
}
