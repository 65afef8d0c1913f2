/// A method whose credential comes from the application, not from the server: a user name and password, an API key, a certificate.
///
/// Generated from a spec, executed by ``CredentialObserver``. The credential is in each request, or on its connection; a challenge to a
/// request that had one says that it was refused, and ``afterResend`` says what then.
public struct CredentialMethod: Sendable {
    /// The name in the spec, such as `BasicAuthentication`.
    public let name: String
    /// One sentence.
    public let summary: String
    /// Any of these is a challenge.
    public let challenges: [ChallengeSignature<Void>]
    /// How the credential is attached.
    public let attachment: CredentialAttachment
    /// The steps to a credential, where there is none.
    public let authenticate: [CredentialStep]
    /// The steps after a challenge to a request that had one.
    public let afterResend: [CredentialStep]
    /// The errors that certain challenges end in, by the signatures' names, in place of the `fail` of ``afterResend``.
    public let refusals: [String: any AuthenticationError]
    /// The errors of the method, for documentation.
    public let errors: [ErrorDescription]
    /// How the mock landscape plays the server.
    public let mock: MockDescription

    /// Makes a method.
    public init(
        name: String, summary: String, challenges: [ChallengeSignature<Void>], attachment: CredentialAttachment,
        authenticate: [CredentialStep], afterResend: [CredentialStep], refusals: [String: any AuthenticationError] = [:],
        errors: [ErrorDescription], mock: MockDescription
    ) {
        self.name = name
        self.summary = summary
        self.challenges = challenges
        self.attachment = attachment
        self.authenticate = authenticate
        self.afterResend = afterResend
        self.refusals = refusals
        self.errors = errors
        self.mock = mock
    }
}

extension CredentialMethod {
    /// How many flights one request can need: the first credential, one after each refusal that has another one follow, and the end.
    var mostFlightsOfARequest: Int {
        let others = afterResend.map { step in
            switch step {
            case .again(let limit): limit
            case .againIfStored: 1
            case .load, .ask, .store, .delete, .fail: 0
            }
        }
        return others.reduce(2, +)
    }
}

/// How a credential of the application gets into a request.
public enum CredentialAttachment: Sendable, Hashable {
    /// In the `Authorization` field by the Basic scheme (RFC 7617), once a server has asked for it.
    case basic
    /// In a field of this name, in every request.
    case field(String)
    /// As the identity with which connections to the server are made, once it has demanded one.
    case connection
}

/// One step of a ``CredentialMethod``, as the spec lists it.
public enum CredentialStep: Sendable {
    /// Takes what the store has; what it has ends the steps.
    case load
    /// Asks the application, whose answer is used.
    case ask(failure: @Sendable (CredentialFailure) -> (any AuthenticationError)?)
    /// Stores the application's answer.
    case store
    /// Takes what was refused out of the store.
    case delete
    /// Runs ``CredentialMethod/authenticate`` again, after at most so many refusals in a row; if there is no other credential, the next step
    /// follows. A refusal counts with the one before it if the credential was not older than
    /// ``SessionConfiguration/authenticationWindow``: an older one has been good for something.
    case again(atMost: Int)
    /// Runs ``CredentialMethod/authenticate`` again if what was refused came from the store, or has been accepted before; otherwise the next
    /// step follows.
    case againIfStored
    /// Ends with an error of the method.
    case fail(any AuthenticationError)
}

/// Why the application gave no credential.
public enum CredentialFailure: Error, Sendable, Hashable {
    /// The person gave up.
    case cancelled
    /// There is none.
    case missing
    /// What was given cannot be used, and why; without anything of it.
    case unusable(String)
}
