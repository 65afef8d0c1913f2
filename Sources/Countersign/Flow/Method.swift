/// A method of authentication: how a challenge looks, which steps answer it, how success shows. Generated from a spec, executed by
/// ``MethodAuthenticator`` and ``MethodObserver``.
public struct Method<Parameters: Sendable, Failure: AuthenticationError>: Sendable {
    /// The name in the spec, such as `SAML`.
    public let name: String
    /// One sentence.
    public let summary: String
    /// Any of these is a challenge.
    public let challenges: [ChallengeSignature<Parameters>]
    /// How success shows on later requests.
    public let credential: CredentialKind
    /// The steps that answer a challenge.
    public let authenticate: [Step<Parameters, Failure>]
    /// The steps for the same challenge again, on the resent request.
    public let afterResend: [Step<Parameters, Failure>]
    /// The errors of the method, for documentation.
    public let errors: [ErrorDescription]
    /// How the mock landscape plays the server.
    public let mock: MockDescription
    /// The method's error when a direct authentication is asked for while another runs.
    public let busy: Failure?
    /// The method's error for an argument that cannot be used, such as a URL that is neither http nor https.
    public let invalidArgument: (@Sendable (_ detail: String) -> Failure)?

    /// Makes a method.
    public init(
        name: String, summary: String, challenges: [ChallengeSignature<Parameters>], credential: CredentialKind,
        authenticate: [Step<Parameters, Failure>], afterResend: [Step<Parameters, Failure>], errors: [ErrorDescription],
        mock: MockDescription, busy: Failure?, invalidArgument: (@Sendable (_ detail: String) -> Failure)?
    ) {
        self.name = name
        self.summary = summary
        self.challenges = challenges
        self.credential = credential
        self.authenticate = authenticate
        self.afterResend = afterResend
        self.errors = errors
        self.mock = mock
        self.busy = busy
        self.invalidArgument = invalidArgument
    }
}

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
    /// A certificate of the application's, with which connections are made.
    case clientCertificate = "client-certificate"
}
