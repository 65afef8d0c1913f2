extension CredentialEntry {
    /// Creates an entry from the token in a token store.
    init(_ token: OAuth2Token, for place: ProtectionSpace) {
        self.init(
            server: place.server?.description, separators: place.separators, fields: [:], cookies: nil, attached: [], expires: nil,
            token: StoredToken(token: token))
    }
}

/// A token in a store. Two are equal if their secrets are, because an application's own store may round the other values.
struct StoredToken: Sendable, Hashable {
    let token: OAuth2Token

    private var secrets: [String?] { [token.accessToken, token.refreshToken] }
    static func == (one: StoredToken, other: StoredToken) -> Bool { one.secrets == other.secrets }
    func hash(into hasher: inout Hasher) { hasher.combine(secrets) }
}
