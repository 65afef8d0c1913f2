/// An authentication scheme that a challenge offers, with parameters that all agree.
public struct ResolvedScheme: Sendable {
    public var field: Field
    public var name: Located<String>
    /// In the order of the file.
    public var parameters: [(name: Located<String>, match: ResolvedChallenge.Match)]

    /// The field that offers it, by the key of the language.
    public enum Field: String, Sendable, Hashable, CaseIterable {
        case wwwAuthenticate = "www-authenticate"
        case proxyAuthenticate = "proxy-authenticate"
    }
}
