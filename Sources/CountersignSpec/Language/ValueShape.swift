/// The shape of a value, from which the shape check, the JSON Schema and the reference page are derived.
package indirect enum ValueShape: Sendable {
    /// The version of the language.
    case version
    /// A text of a form.
    case text(TextForm)
    /// One of a few words.
    case word([Word])
    /// A list with at least one item.
    case list(of: ValueShape)
    /// One value, or a list of them.
    case oneOrList(of: ValueShape)
    /// A mapping with keys of the language.
    case construct(Construct)
    /// A mapping with keys that the author chooses.
    case named(TextForm, key: String, ValueShape)
    /// A text for the usual case, or a mapping or list for others.
    case shorthand(ValueShape, or: ValueShape)
    /// Any JSON value, with references in its texts.
    case json

    /// A word of the vocabulary.
    package struct Word: Sendable {
        package let name: String
        package let summary: String

        init(_ name: String, _ summary: String) {
            self.name = name
            self.summary = summary
        }
    }
}
