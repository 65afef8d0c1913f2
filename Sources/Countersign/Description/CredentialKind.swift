/// The kind of credential that a method adds to later requests.
public enum CredentialKind: String, Sendable, Hashable, CaseIterable {
    /// Cookies in the session's jar.
    case sessionCookies = "session-cookies"
    /// An OAuth 2.0 token in the `Authorization` field, for the origins that may receive it.
    case oauth2Token = "oauth2-token"
    /// A user name and password of the application in the `Authorization` field.
    case basic
    /// An API key of the application in a header field.
    case apiKey = "api-key"
    /// A key of the application that signs each request.
    case signature
    /// A client certificate of the application for TLS connections.
    case clientCertificate = "client-certificate"
}
