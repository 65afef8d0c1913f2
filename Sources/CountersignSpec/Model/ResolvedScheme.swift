/// Where a server offers authentication schemes.
public enum ResolvedScheme {
    /// The field that offers one, by the key of the language.
    public enum Field: String, Sendable, Hashable, CaseIterable {
        case wwwAuthenticate = "www-authenticate"
        case proxyAuthenticate = "proxy-authenticate"
    }
}
