package import HTTPTypes

extension OAuth2Token {
    /// Whether requests carry the token as RFC 6750 says.
    package var isBearer: Bool { tokenType.lowercased() == "bearer" }

    /// The field that carries the token (RFC 6750, section 2.1), or `nil` if it is of another type, or no field can carry it.
    ///
    /// The second matters for tokens that an application or a store hands in: a line break in one would end the field.
    package var authorizationField: HTTPField? {
        guard isBearer, Self.isSendable(accessToken) else { return nil }
        var field = HTTPField(name: .authorization, value: "Bearer \(accessToken)")
        field.indexingStrategy = .disallow
        return field
    }

    /// Whether a text can stand behind the scheme of an `Authorization` field: visible ASCII characters, and at least one.
    ///
    /// That is wider than RFC 6750's `b64token`, since servers are, and narrower than what RFC 6749 lets an access token be: a
    /// space would part it in two.
    package static func isSendable(_ accessToken: String) -> Bool {
        !accessToken.isEmpty && accessToken.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
