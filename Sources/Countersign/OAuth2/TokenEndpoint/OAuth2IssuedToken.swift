/// A newly issued token with its lifetime.
package struct OAuth2IssuedToken: Sendable, Hashable {
    package let token: OAuth2Token
    package let lifetime: TokenLifetime

    package init(token: OAuth2Token, lifetime: TokenLifetime) {
        self.token = token
        self.lifetime = lifetime
    }
}
