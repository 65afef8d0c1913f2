/// What products do beside the protocols, or otherwise than most.
public struct MockOAuth2Oddities: Sendable, Hashable {
    /// What the issuer identifier has behind the server's address, such as `/realms/demo`. The metadata are where
    /// ``MockOpenIDOptions/metadataPath`` says.
    public var issuerPath = ""
    /// Parameters that requests for the authorization endpoint have to have beyond the protocol.
    public var authorizationParameters: [String: String] = [:]
    /// The same for codes of devices.
    public var deviceParameters: [String: String] = [:]
    /// The claims, as JSON, that a token has to have been asked for with, by the beginning of a resource's path; the longest beginning counts.
    /// Another token is refused with the error `insufficient_claims` and these in base64.
    public var claims: [String: String] = [:]
    /// The beginning of paths of resources that refuse every token for want of the scope that it has.
    public var insatiablePath: String?
    /// What a refresh token that is not good is refused with.
    public var refreshRefusal = "invalid_grant"
    /// Whether the token endpoint refuses with status 200.
    public var refusesWithStatus200 = false
    /// Whether the token endpoint answers with forms, whatever the client accepts.
    public var answersInForms = false
    /// Whether the tokens by which clients say who they are have to be for the endpoint, and not for the issuer.
    public var assertionsNameEndpoint = false
    /// What the page for the code of a device is called.
    public var devicePageMember = "verification_uri"

    /// The defaults: nothing of it.
    public init() {}
}
