/// A mapping of the language: its keys, and which of them have to be there.
package struct Construct: Sendable {
    /// What it is called in messages, such as `a method`.
    package let title: String
    /// One sentence for the reference.
    package let summary: String
    package let keys: [Key]
    /// Keys of which exactly one stands; empty for none.
    package let alternatives: [String]
    /// Whether it says only what differs from something inherited, so that keys within, outside of lists, can be missing.
    package let isOverride: Bool

    /// A key of a construct.
    package struct Key: Sendable {
        package let name: String
        /// One sentence for the reference and the editor's hover.
        package let summary: String
        package let shape: ValueShape
        package let isRequired: Bool
        /// With each of these a required key can be missing.
        package let exemptions: [Exemption]
        /// What holds without the key, for the reference.
        package let defaultText: String?
        /// The keys that it belongs to: it stands only beside one of them. Empty if it stands alone.
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

        /// The same key, which has to be there.
        var required: Key {
            Key(name, shape, required: true, unless: exemptions, default: defaultText, beside: companions, summary)
        }

        /// Whether it has to be in a mapping.
        func isRequired(in node: DocumentNode) -> Bool {
            isRequired && !exemptions.contains { $0.holds(in: node) }
        }
    }

    /// A value without which a key is required.
    package struct Exemption: Sendable {
        /// The path to the key that has it.
        package let path: [String]
        /// The text, or one of a list.
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
        _ title: String, _ summary: String, alternatives: [String] = [], isOverride: Bool = false, keys: [Key]
    ) {
        self.title = title
        self.summary = summary
        self.alternatives = alternatives
        self.isOverride = isOverride
        self.keys = keys
    }

    /// The key of a name, if the construct has it.
    func key(_ name: String) -> Key? { keys.first { $0.name == name } }
}
