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
        /// The path to a key with whose value ``exemptingValue`` a required key can be missing; empty for none.
        package let exemption: [String]
        /// That value.
        package let exemptingValue: String
        /// What holds without the key, for the reference.
        package let defaultText: String?
        /// The keys that it belongs to: it stands only beside one of them. Empty if it stands alone.
        package let companions: [String]

        init(
            _ name: String, _ shape: ValueShape, required: Bool = false, unless exemption: [String] = [],
            is exemptingValue: String = "true",
            default defaultText: String? = nil,
            beside companions: [String] = [], _ summary: String
        ) {
            self.name = name
            self.summary = summary
            self.shape = shape
            isRequired = required
            self.exemption = exemption
            self.exemptingValue = exemptingValue
            self.defaultText = defaultText
            self.companions = companions
        }

        /// Whether it has to be in a mapping.
        func isRequired(in node: DocumentNode) -> Bool {
            guard let last = exemption.last else { return isRequired }
            let holder = exemption.dropLast().reduce(node as DocumentNode?) { $0?[$1] }
            return isRequired && holder?.text(last) != exemptingValue
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
