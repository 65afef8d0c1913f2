/// What a login page ends in.
public enum ResolvedPresent {
    /// How the address that ends a page is compared.
    public enum FinishMatch: String, Sendable, Hashable, CaseIterable {
        case exact, path
        case pathAndQueryNames = "path-and-query-names"
    }

    /// What can go wrong with a page.
    public enum PresentFailure: String, Sendable, Hashable, CaseIterable {
        case dismissed, load, refused, reloaded, background
        /// The redirect says that the server refused.
        case server
        /// The redirect has nothing to go on with.
        case missing
    }
}
