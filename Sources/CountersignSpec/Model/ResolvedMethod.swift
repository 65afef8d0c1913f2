/// A method of authentication.
public struct ResolvedMethod: Sendable {
    public var name: Located<String>
    /// The stem of the file, which names the generated file.
    public var stem: String
    /// The spec's file name with its landscape folder, such as `Example/SAML.yaml`, for generated comments.
    public var origin: String
    public var documentation: Documentation
    /// What people call it, if that is not its name.
    public var title: String?
    /// What the method is run with; of a method with grants, what the first is run with; `nil` where the application gives the credential.
    public var parameters: ResolvedParameters?
    public var challenges: [ResolvedChallenge]
    public var credential: ResolvedCredential
    /// The header field that the credential is sent in, if the spec says it.
    public var attachment: Located<String>?
    /// The steps that answer a challenge; none in a method with grants.
    public var authenticate: [ResolvedStep]
    /// The ways to a token; none in a method without.
    public var grants: [ResolvedGrant] = []
    public var afterResend: [ResolvedStep]
    public var errors: ResolvedErrorType
    /// More error types, of a method whose credential the application gives.
    public var furtherErrors: [ResolvedErrorType] = []
    /// The case for a direct authentication while another runs; the value of `flow.busy`.
    public var busy: Located<String>?
    /// The case for an argument that cannot be used; the value of `flow.invalid-argument`. It carries `detail: string`.
    public var invalidArgument: Located<String>?
    public var mock: ResolvedMock
    /// The labels of initialisers that take the parameters; empty for the usual one.
    public var labels: [Located<String>] = []
    /// Whether an authentication that is started explicitly logs its error where no completion handler is handed over.
    public var logsCompletion = false
    /// Whether it comes behind another method.
    public var isSecondFactor = false
}

/// How the success of a method shows on later requests.
public enum ResolvedCredential: String, Sendable, Hashable, CaseIterable {
    case sessionCookies = "session-cookies"
    case oauth2Token = "oauth2-token"
    case basic
    case apiKey = "api-key"
    case clientCertificate = "client-certificate"

    /// Whether the application gives it, and no flow gets it.
    public var isOfApplication: Bool { self == .basic || self == .apiKey || self == .clientCertificate }
}

extension ResolvedMethod {
    /// All error types.
    public var errorTypes: [ResolvedErrorType] { [errors] + furtherErrors }
}
