/// The documents of a landscape after inheritance, on which all checks are made.
package struct LandscapeDocuments: Sendable {
    /// A method's document.
    package struct Method: Sendable {
        package let stem: String
        /// The file that declares it, with its landscape, such as `Example/SAML.yaml`.
        let origin: String
        package let root: DocumentNode
    }

    /// The type of session for which observers are generated, by its word in the language.
    enum Surface: String {
        case core, foundation
    }

    /// The landscape's document; `nil` if there is none that can be read.
    package let landscape: DocumentNode?
    /// Whether the landscape is complete. It is incomplete if the landscape that it extends cannot be read.
    let isWhole: Bool
    package let methods: [Method]
    /// The type of session for which observers are generated; `nil` if it cannot be read, which is reported.
    let surface: Surface?
    let omittedStems: [String]
    let provenance: Provenance

    init(landscape: DocumentNode?, isWhole: Bool, methods: [Method], omittedStems: [String], provenance: Provenance) {
        self.landscape = landscape
        self.isWhole = isWhole
        self.methods = methods
        let word = landscape?["swift"]?["surface"]
        surface = word == nil && landscape != nil && isWhole ? .core : word?.text.flatMap { Surface(rawValue: $0.value) }
        self.omittedStems = omittedStems
        self.provenance = provenance
    }
}
