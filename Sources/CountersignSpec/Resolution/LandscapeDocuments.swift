/// The documents of a landscape after inheritance: what all checks look at.
struct LandscapeDocuments: Sendable {
    /// A method's document.
    struct Method: Sendable {
        let stem: String
        /// The file that declares it, with its landscape, such as `Example/SAML.yaml`.
        let origin: String
        let root: DocumentNode
    }

    /// The sessions that observers are for, by the language's word.
    enum Surface: String {
        case core, foundation
    }

    /// `nil` if there is none to read.
    let landscape: DocumentNode?
    /// Whether nothing is missing from the landscape because what it extends cannot be read.
    let isWhole: Bool
    let methods: [Method]
    /// The sessions that observers are for; `nil` if that cannot be read, which is reported.
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
