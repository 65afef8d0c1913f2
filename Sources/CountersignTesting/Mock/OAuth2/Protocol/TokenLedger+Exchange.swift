extension TokenLedger {
    /// Exchanges a subject token for an access token (RFC 8693, section 2) for the same user and at most the same scopes, with a
    /// full lifetime.
    mutating func exchange(
        _ parameters: OAuth2Parameters, scopes: [String]?, by client: MockOAuth2Client, at now: Instant
    ) throws(OAuth2Refusal) -> Issue {
        let subject = try party("subject", parameters, at: now)
        guard let subject else { throw OAuth2Refusal(.invalidRequest, "The subject token is missing.") }
        _ = try party("actor", parameters, at: now)
        if let type = parameters["requested_token_type"], type != Self.accessTokenType {
            throw OAuth2Refusal(.invalidRequest, "Only access tokens can be requested.")
        }
        let granted = scopes ?? subject.scopes
        guard Set(granted).isSubset(of: subject.scopes)
        else { throw OAuth2Refusal(.invalidScope, "The scope exceeds that of the subject token.") }
        let family = add(Family(clientID: client.id, user: subject.user, scopes: granted))
        return issue(in: family, scopes: granted, refreshToken: nil, at: now)
    }

    static var accessTokenType: String { "urn:ietf:params:oauth:token-type:access_token" }

    /// Returns the user and the scopes of the subject or actor token, which must have a token type; `nil` if there is none.
    private func party(
        _ role: String, _ parameters: OAuth2Parameters, at now: Instant
    ) throws(OAuth2Refusal) -> (user: String, scopes: [String])? {
        let type = parameters["\(role)_token_type"]
        guard let text = parameters["\(role)_token"] else {
            guard type == nil else { throw OAuth2Refusal(.invalidRequest, "A token type is present, but the token is missing.") }
            return nil
        }
        guard type == Self.accessTokenType, case .good(let user, let scopes) = judge(text, at: now)
        else { throw OAuth2Refusal(.invalidRequest, "A token is invalid or not an access token.") }
        return (user, scopes)
    }
}
