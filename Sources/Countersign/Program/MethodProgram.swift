// A method is data without closures, so that the generator can print it as a constant and one runtime executes all methods. Each
// value has a slot, an index into one list: parameters, values of challenges, fields of the credential, and results of steps.

/// An authentication method as data: the lifecycle of its credential, from the challenge to the logout.
///
/// It is generated from a spec. With the values of ``ProgramParameters`` it is executed by a ``ProgramObserver``, by a
/// ``ProgramAuthenticator`` if the credential is the session's cookies, or by a ``GrantAuthenticator`` if it is an OAuth 2.0 token.
/// An enrolment has no challenge, since another method uses its credential; `CountersignIdentity` executes it.
public struct MethodProgram: Sendable, Hashable {
    /// The name in the spec, such as `HTTPBasic`.
    public let name: String
    /// The name of the variant in the spec, such as `client-credentials`; `nil` for a method with only one.
    public let grant: String?
    /// A one-sentence summary.
    public let summary: String
    /// The variables of the method. Templates refer to them by index.
    public let slots: [ProgramSlot]
    /// Header fields of every request to the servers that may receive the credential, by which the client announces its
    /// capabilities. Each is a list to which the request's own members are added.
    public let announcements: NamedList<HTTPCall.Member>
    /// The challenge patterns. The first one that matches with all its captures is used.
    public let challenges: [ChallengePattern]
    /// The fields, separation and recipients of the credential.
    public let credential: CredentialShape
    /// The server documents that the steps use.
    public let documents: [ProgramDocument]
    /// The steps to a new credential.
    public let acquire: [ProgramStep]
    /// The renewal of a credential; `nil` if only ``acquire`` leads to a new one.
    public let renewal: CredentialRenewal?
    /// The placement of the credential in requests. The session's cookies need none.
    public let attach: [CredentialPlacement]
    /// The fields of the credential that responses change.
    public let updates: [CredentialUpdate]
    /// The rules for a challenge to a request with a credential. The first matching rule is used.
    public let rejections: [RejectionRule]
    /// The steps that notify servers after a logout.
    public let end: [ProgramStep]
    /// The method's error types. Their cases are numbered consecutively.
    public let errors: [ErrorTable]
    /// The errors for failures to obtain a credential, by number across all ``errors``. Other failures are a ``CountersignError``.
    public let failures: [ProgramFailure: Int]

    /// Creates a program.
    public init(
        name: String, grant: String? = nil, summary: String, slots: [ProgramSlot],
        announcements: NamedList<HTTPCall.Member> = [], challenges: [ChallengePattern],
        credential: CredentialShape, documents: [ProgramDocument] = [],
        acquire: [ProgramStep] = [], renewal: CredentialRenewal? = nil, attach: [CredentialPlacement] = [],
        updates: [CredentialUpdate] = [], rejections: [RejectionRule] = [], end: [ProgramStep] = [], errors: [ErrorTable] = [],
        failures: [ProgramFailure: Int] = [:]
    ) {
        self.name = name
        self.grant = grant
        self.summary = summary
        self.slots = slots
        self.announcements = announcements
        self.challenges = challenges
        self.credential = credential
        self.documents = documents
        self.acquire = acquire
        self.renewal = renewal
        self.attach = attach
        self.updates = updates
        self.rejections = rejections
        self.end = end
        self.errors = errors
        self.failures = failures
    }
}

extension MethodProgram {
    /// Returns the method with one of its variants.
    public func with(
        grant: String, slots: [ProgramSlot], credential: CredentialShape, documents: [ProgramDocument] = [], acquire: [ProgramStep],
        renewal: CredentialRenewal? = nil, end: [ProgramStep] = []
    ) -> MethodProgram {
        MethodProgram(
            name: name, grant: grant, summary: summary, slots: slots, announcements: announcements, challenges: challenges,
            credential: credential, documents: documents, acquire: acquire, renewal: renewal, attach: attach,
            updates: updates, rejections: rejections, end: end, errors: errors, failures: failures)
    }
}

/// The reason why there is no credential.
public enum ProgramFailure: String, Sendable, Hashable, CaseIterable {
    /// The user cancelled.
    case cancelled
    /// The application has no credential.
    case missing
    /// The application's credential cannot be sent.
    case unusable
    /// A parameter is unusable, for example a URL to which a login would be sent unencrypted.
    case invalidArgument
    /// An authentication was started explicitly while another one was running.
    case busy
}

/// A variable of a method.
public struct ProgramSlot: Sendable, Hashable {
    /// The source of the value.
    public enum Source: Sendable, Hashable {
        /// The application's parameters.
        case parameter
        /// A challenge.
        case challenge
        /// The stored credential.
        case credential
        /// A step.
        case step
    }

    /// The name in the spec.
    public let name: String
    public let source: Source
    /// Whether the value is a secret that is never printed.
    public let isSecret: Bool
    /// Whether a stored credential is found only with the same value. Only a parameter that is not a secret identifies credentials.
    public let identifiesCredential: Bool

    /// Creates a slot.
    ///
    /// - Parameter identifies: Whether a parameter that is not a secret identifies stored credentials.
    private init(_ name: String, _ source: Source, isSecret: Bool, identifies: Bool = true) {
        self.name = name
        self.source = source
        self.isSecret = isSecret
        identifiesCredential = identifies && source == .parameter && !isSecret
    }

    /// Creates a slot for a parameter.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - isSecret: Whether the value is a secret.
    ///   - identifies: Whether a stored credential is found only with the same value. A secret never identifies it.
    public static func parameter(_ name: String, isSecret: Bool = false, identifies: Bool = true) -> Self {
        Self(name, .parameter, isSecret: isSecret, identifies: identifies)
    }

    /// Creates a slot for a value of challenges.
    public static func challenge(_ name: String, isSecret: Bool = false) -> Self {
        Self(name, .challenge, isSecret: isSecret)
    }

    /// Creates a slot for a field of the credential.
    public static func credential(_ name: String, isSecret: Bool = false) -> Self {
        Self(name, .credential, isSecret: isSecret)
    }

    /// Creates a slot for a value of steps.
    public static func step(_ name: String, isSecret: Bool = false) -> Self {
        Self(name, .step, isSecret: isSecret)
    }
}
