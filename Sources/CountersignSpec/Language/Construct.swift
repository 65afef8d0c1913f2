/// A mapping of the language: its keys, and which of them are required.
package struct Construct: Sendable {
    /// The name in messages, such as `a method`.
    package let title: String
    /// One sentence for the reference.
    package let summary: String
    package let keys: [Key]
    /// The keys of which exactly one must be present; empty for none.
    package let alternatives: [String]
    /// The alternatives that are allowed together; empty for none.
    package let combinable: [String]
    /// The combinable alternatives of which at most one is allowed in all items of a list; empty for none.
    ///
    /// The reader of the construct reports them, since ``excludes(_:beside:)`` compares only the keys of one item.
    package let exclusive: [String]
    /// Whether the construct contains only the differences from an inherited one, so that required keys in it can be missing,
    /// except in lists.
    package let isOverride: Bool

    /// A key of a construct.
    package struct Key: Sendable {
        package let name: String
        /// One sentence for the reference and the editor's hover.
        package let summary: String
        package let shape: ValueShape
        package let isRequired: Bool
        /// The exemptions, each of which makes a required key optional.
        package let exemptions: [Exemption]
        /// The default without the key, for the reference.
        package let defaultText: String?
        /// The keys of which one must be present with this key; empty if it can stand alone.
        package let companions: [String]

        init(
            _ name: String, _ shape: ValueShape, required: Bool = false, unless exemptions: [Exemption] = [],
            default defaultText: String? = nil,
            beside companions: [String] = [], _ summary: String
        ) {
            self.name = name
            self.summary = summary
            self.shape = shape
            isRequired = required
            self.exemptions = exemptions
            self.defaultText = defaultText
            self.companions = companions
        }

        /// The same key, but required.
        var required: Key {
            Key(name, shape, required: true, unless: exemptions, default: defaultText, beside: companions, summary)
        }

        /// Whether the key is required in a mapping.
        func isRequired(in node: DocumentNode) -> Bool {
            isRequired && !exemptions.contains { $0.holds(in: node) }
        }
    }

    /// A value that makes a required key optional.
    package struct Exemption: Sendable {
        /// The path to the key with the value.
        package let path: [String]
        /// The text, or an item of a list of texts.
        package let value: String

        init(_ path: [String], is value: String) {
            self.path = path
            self.value = value
        }

        fileprivate func holds(in node: DocumentNode) -> Bool {
            guard let found = path.reduce(node as DocumentNode?, { $0?[$1] }) else { return false }
            return ([found] + found.items).contains { $0.text?.value == value }
        }
    }

    init(
        _ title: String, _ summary: String, alternatives: [String] = [], combinable: [String] = [], exclusive: [String] = [],
        isOverride: Bool = false, keys: [Key]
    ) {
        self.title = title
        self.summary = summary
        self.alternatives = alternatives
        self.combinable = combinable
        self.exclusive = exclusive
        self.isOverride = isOverride
        self.keys = keys
    }

    /// Returns the combinable alternatives for messages and the reference, with those that exclude each other as one, such as
    /// "either 'json' or 'form'".
    ///
    /// - Parameter quote: Returns a key in quotes.
    package func combinations(_ quote: (String) -> String) -> [String] {
        let choice = exclusive.map(quote).joined(separator: " or ")
        return combinable.filter { !exclusive.contains($0) }.map(quote) + (choice.isEmpty ? [] : ["either \(choice)"])
    }

    /// Whether two alternatives exclude each other.
    func excludes(_ alternative: String, beside other: String) -> Bool {
        alternative != other && !(combinable.contains(alternative) && combinable.contains(other))
    }

    /// Whether an override can remove an inherited key by the word `omitted`: an optional one, for which a text is not valid anyway.
    package func canRemove(_ name: String) -> Bool {
        guard let key = key(name), !alternatives.contains(name) else { return false }
        return !key.isRequired && !key.shape.takesText
    }

    /// The key of a name, if the construct has it.
    func key(_ name: String) -> Key? { keys.first { $0.name == name } }
}
