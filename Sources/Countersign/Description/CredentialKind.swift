/// How the success of a method shows on later requests.
public enum CredentialKind: String, Sendable, Hashable, CaseIterable {
    /// Cookies in the session's jar.
    case sessionCookies = "session-cookies"
    /// A token of OAuth 2.0 in the `Authorization` field, at the origins that it is for.
    case oauth2Token = "oauth2-token"
    /// A user name and password of the application's, in the `Authorization` field.
    case basic
    /// A key of the application's, in a field of its own.
    case apiKey = "api-key"
    /// A key of the application's, which signs each request.
    case signature
    /// A certificate of the application's, with which connections are made.
    case clientCertificate = "client-certificate"
}
