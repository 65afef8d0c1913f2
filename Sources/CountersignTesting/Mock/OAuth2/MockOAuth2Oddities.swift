/// Behaviour of products that deviates from the protocols or from other products.
public struct MockOAuth2Oddities: Sendable, Hashable {
    /// The path of the issuer identifier, such as `/realms/demo`. The metadata are at ``MockOpenIDOptions/metadataPath``.
    public var issuerPath = ""
    /// Required parameters of authorization requests beyond the protocol.
    public var authorizationParameters: [String: String] = [:]
    /// Required parameters of device authorization requests beyond the protocol.
    public var deviceParameters: [String: String] = [:]
    /// The claims, as JSON, with which a token must have been requested, by path prefix of the resource; the longest matching
    /// prefix is used. Other tokens are refused with the error `insufficient_claims` and these claims in Base64.
    public var claims: [String: String] = [:]
    /// The path prefix of resources that refuse every token because of its scope.
    public var insatiablePath: String?
    /// The error code for an invalid refresh token.
    public var refreshRefusal = "invalid_grant"
    /// Whether the token endpoint sends errors with status 200.
    public var refusesWithStatus200 = false
    /// Whether the token endpoint sends forms, independently of `Accept`.
    public var answersInForms = false
    /// Whether the audience of client assertions must be the endpoint and not the issuer.
    public var assertionsNameEndpoint = false
    /// The response member with the URL of the verification page.
    public var devicePageMember = "verification_uri"

    /// Creates options without deviations.
    public init() {}
}
