/// One look of a challenge: its status is one of these, and all fields and schemes agree.
public struct ResolvedChallenge: Sendable {
    public var name: Located<String>
    /// Empty for any.
    public var statuses: [Int]
    /// The header fields, in the order of the file.
    public var fields: [(name: ResolvedTemplate, match: Match)]
    /// The authentication schemes that it offers, at most one in each field.
    public var schemes: [ResolvedScheme] = []
    /// Methods that have a challenge which the same response can be, by intention.
    public var overlaps: [Located<String>] = []
    /// The error case for a credential that is refused in this way.
    public var refused: Located<String>?
    /// What is in the beginning of the body.
    public var body: String?
    /// Whether it is a connection that the server refuses.
    public var isRefusedConnection = false

    public enum Match: Sendable, Hashable {
        case present
        case equals(ResolvedTemplate)
        case prefix(ResolvedTemplate)
        case contains(ResolvedTemplate)
    }
}

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
