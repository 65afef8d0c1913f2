/// A token that has just arrived, and how long it is good for.
package struct OAuth2IssuedToken: Sendable, Hashable {
    package let token: OAuth2Token
    package let lifetime: TokenLifetime

    package init(token: OAuth2Token, lifetime: TokenLifetime) {
        self.token = token
        self.lifetime = lifetime
    }
}
