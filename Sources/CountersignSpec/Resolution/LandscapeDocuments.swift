/// The documents of a landscape after inheritance: what all checks look at.
struct LandscapeDocuments: Sendable {
    /// A method's document.
    struct Method: Sendable {
        let stem: String
        /// The file that declares it, with its landscape, such as `SAPMobileServices/SAML.yaml`.
        let origin: String
        let root: DocumentNode
    }

    /// `nil` if there is none to read.
    let landscape: DocumentNode?
    /// Whether nothing is missing from the landscape because what it extends cannot be read.
    let isWhole: Bool
    let methods: [Method]
    let omittedStems: [String]
    let provenance: Provenance
}
