extension TokenLedger {
    /// The properties of an active token (RFC 7662, section 2.2).
    struct Introspection: Sendable {
        let family: Family
        let scopes: [String]
        let isAccessToken: Bool
        /// The time since it was issued; `nil` if that was not recorded.
        let age: Duration?
        /// The remaining lifetime; `nil` for no limit.
        let life: Duration?
    }

    /// - Returns: The token's properties; `nil` if it is unknown, expired, revoked or used.
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
