extension TokenLedger {
    /// What a token is good for that is good (RFC 7662, section 2.2).
    struct Introspection: Sendable {
        let family: Family
        let scopes: [String]
        let isAccessToken: Bool
        /// How long ago it was given out; `nil` if that was not written down.
        let age: Duration?
        /// How long it is good; `nil` if that is for ever.
        let life: Duration?
    }

    /// - Returns: `nil` for a token that is not good: unknown, expired, revoked or used up.
    func introspect(_ text: String, at now: Instant) -> Introspection? {
        guard OAuth2Syntax.isVisible(text) else { return nil }
        if let token = accessTokens[text], let family = families[token.family] {
            guard case .good(_, let scopes) = judge(text, at: now) else { return nil }
            return Introspection(
                family: family, scopes: scopes, isAccessToken: true, age: now - token.issued, life: token.expires - now)
        }
        guard let token = refreshToken(text), let family = families[token.family], !family.isRevoked, token.used == nil,
            token.expires.map({ now < $0 }) ?? true
        else { return nil }
        return Introspection(
            family: family, scopes: family.scopes, isAccessToken: false, age: nil, life: token.expires.map { $0 - now })
    }
}
