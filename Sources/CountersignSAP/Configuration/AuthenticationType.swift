/// The value of `auth[].type` in a configuration: the server's authentication method.
///
/// The set is open; unknown values are kept.
public struct AuthenticationType: RawRepresentable, Sendable, Hashable {
    /// The value in the configuration.
    public let rawValue: String

    /// Creates a type from a value of a configuration.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// OAuth 2.0, with its endpoints and clients.
    public static let oauth2 = AuthenticationType(rawValue: "oauth2")
    /// SAML 2.0 with a web page.
    public static let saml = AuthenticationType(rawValue: "saml2.web.post")
    /// HTTP Basic.
    public static let basic = AuthenticationType(rawValue: "basic.default")
    /// A client certificate that the application's own code provides.
    public static let certificate = AuthenticationType(rawValue: "certificate.sdkprovider")
}
