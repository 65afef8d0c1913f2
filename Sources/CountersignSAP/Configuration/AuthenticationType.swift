/// What a configuration's `auth[].type` says: which method the server authenticates with.
///
/// The set is open; a type that is not named here is a value like any other.
public struct AuthenticationType: RawRepresentable, Sendable, Hashable {
    /// The type as the configuration writes it.
    public let rawValue: String

    /// Takes a type as a configuration writes it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// OAuth 2.0, with its addresses and clients.
    public static let oauth2 = AuthenticationType(rawValue: "oauth2")
    /// SAML 2.0 by a web page.
    public static let saml = AuthenticationType(rawValue: "saml2.web.post")
    /// HTTP Basic.
    public static let basic = AuthenticationType(rawValue: "basic.default")
    /// A client certificate that the application's own code finds.
    public static let certificate = AuthenticationType(rawValue: "certificate.sdkprovider")
}
