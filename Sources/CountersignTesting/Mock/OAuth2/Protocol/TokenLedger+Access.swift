extension TokenLedger {
    /// Checks an access token.
    func judge(_ text: String, at now: Instant) -> AuthorizationServer.Verdict {
        guard OAuth2Syntax.isBearerToken(text), let token = accessTokens[text], let family = families[token.family]
        else { return .bad("The access token is not known.") }
        guard !token.isRevoked, !family.isRevoked else { return .bad("The access token is revoked.") }
        guard now < token.expires else { return .bad("The access token has expired.") }
        return .good(user: family.user ?? family.clientID, scopes: token.scopes)
    }

    /// Whether the user of an access token has authenticated as a resource requires.
    func hasAuthenticated(_ text: String, as requirement: MockAuthenticationRequirement, at now: Instant) -> Bool {
        guard let family = accessTokens[text].flatMap({ families[$0.family] }) else { return false }
        guard requirement.acr == nil || family.acr == requirement.acr else { return false }
        guard let age = requirement.maxAge else { return true }
        return family.authenticated.map { now - $0 <= age } ?? false
    }

    /// Returns the claims with which an access token was requested.
    func claims(of text: String) -> String? { accessTokens[text].flatMap { families[$0.family]?.claims } }

    /// Revokes an access token with its family, and returns whether it was valid.
    mutating func endSession(of text: String, at now: Instant) -> Bool {
        guard case .good = judge(text, at: now), let family = accessTokens[text]?.family else { return false }
        revoke(family: family)
        return true
    }
}
