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
        rejections: [RejectionRule] = [], end: [ProgramStep] = [], errors: [ErrorTable] = [],
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
        renewal: CredentialRenewal? = nil
    ) -> MethodProgram {
        MethodProgram(
            name: name, grant: grant, summary: summary, slots: slots, announcements: announcements, challenges: challenges,
            credential: credential,
            documents: documents, acquire: acquire, renewal: renewal, attach: attach, rejections: rejections, end: end,
            errors: errors,
            failures: failures)
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

    /// Creates a slot for a parameter.
    public static func parameter(_ name: String, isSecret: Bool = false) -> Self {
        Self(name: name, source: .parameter, isSecret: isSecret)
    }

    /// Creates a slot for a value of challenges.
    public static func challenge(_ name: String, isSecret: Bool = false) -> Self {
        Self(name: name, source: .challenge, isSecret: isSecret)
    }

    /// Creates a slot for a field of the credential.
    public static func credential(_ name: String, isSecret: Bool = false) -> Self {
        Self(name: name, source: .credential, isSecret: isSecret)
    }

    /// Creates a slot for a value of steps.
    public static func step(_ name: String, isSecret: Bool = false) -> Self {
        Self(name: name, source: .step, isSecret: isSecret)
    }
}

/// The fields of a credential, the values that separate credentials, and the recipients.
public struct CredentialShape: Sendable, Hashable {
    /// The protection space of the values of a challenge.
    public enum Space: Sendable, Hashable {
        /// All requests to the origin.
        case origin
        /// Requests to paths at and below the challenged one (RFC 7617, section 2.2).
        case directory
        /// All requests to all servers that may receive the credential.
        case servers
        /// The challenged request alone. The credential is never stored, and ends with the request.
        case request
    }

    /// A field of the credential.
    public struct Field: Sendable, Hashable {
        /// The field's slot.
        public let slot: Int
        /// The value before the steps run; `nil` if a step sets it.
        public let value: ProgramTemplate?

        /// Creates a field, with its value before the steps run.
        public static func slot(_ slot: Int, from value: ProgramTemplate? = nil) -> Self { Self(slot: slot, value: value) }
    }

    /// The fields.
    public let fields: [Field]
    /// The values that separate credentials, in addition to the space.
    public let separators: [ProgramTemplate]
    public let space: Space
    /// The slot of the credential's lifetime; `nil` if unknown.
    public let lifetime: Int?
    /// The slots of the URLs and origins that may receive the credential.
    public let destinations: [Int]
    /// Whether the first requested origin may receive the credential if ``destinations`` have no value.
    public let isForRequested: Bool
    /// Whether requests carry the credential from the first one on, before any challenge.
    public let isEager: Bool
    /// The slot of the login's cookies, kept apart from the session's; `nil` if there are none. Requests of
    /// ``MethodProgram/acquire`` begin without cookies, and those of ``MethodProgram/end`` carry these.
    public let cookies: Int?
    /// Whether the credential is the session's own cookies. It then has no fields and no named servers; cookie rules decide the
    /// recipients.
    public let isSessionCookies: Bool

    /// The slots of an OAuth 2.0 token, which then is the whole credential; `nil` for other credentials.
    public let token: Token?

    /// The parts of a token that steps use.
    public struct Token: Sendable, Hashable {
        /// The slots of the access token and the refresh token; `nil` if no step uses them.
        public let access, refresh: Int?

        /// Creates the slots.
        public init(access: Int? = nil, refresh: Int? = nil) {
            self.access = access
            self.refresh = refresh
        }
    }

    /// Creates a shape.
    public init(
        fields: [Field] = [], separators: [ProgramTemplate] = [], space: Space = .origin, lifetime: Int? = nil, destinations: [Int],
        isForRequested: Bool = false, isEager: Bool = false, cookies: Int? = nil, isSessionCookies: Bool = false,
        token: Token? = nil
    ) {
        self.token = token
        self.isSessionCookies = isSessionCookies
        self.isForRequested = isForRequested
        self.isEager = isEager
        self.lifetime = lifetime
        self.fields = fields
        self.separators = separators
        self.space = space
        self.destinations = destinations
        self.cookies = cookies
    }
}

/// The steps that renew a credential, for example with a refresh token.
public struct CredentialRenewal: Sendable, Hashable {
    /// The slots without which the credential cannot be renewed.
    public let needs: [Int]
    /// The steps. They run without the user. Slots that they do not set keep their values, except for the lifetime.
    public let steps: [ProgramStep]

    /// Creates a renewal.
    public init(needs: [Int] = [], _ steps: [ProgramStep]) {
        self.needs = needs
        self.steps = steps
    }
}

/// A step of a method.
public indirect enum ProgramStep: Sendable, Hashable {
    /// Asks the application, unless all slots have a value. The number is the prompt's index in the method. Slots without a value
    /// receive the answer.
    case prompt(Int, slots: [Int])
    /// Shows a login page until the browser reaches its end.
    case present(LoginPage)
    /// Sends a request.
    case http(HTTPCall)
    /// Sends a form to a token endpoint. The response is the credential.
    case token(TokenCall)
    /// Fetches one of ``MethodProgram/documents``, unless it is cached.
    case document(Int)
    /// Verifies a token and captures its claims.
    case verify(TokenVerification)
    /// Computes the value of a slot.
    case compute(slot: Int, ProgramFunction)
    /// Runs a step if all conditions hold.
    case when([StepCondition], ProgramStep)
    /// Asks the application for the input that the JSON in the first slot describes, and stores the answers in the other slot. The
    /// duration limits the time for each answer.
    case ask(PromptPage, of: Int, into: Int, within: Duration)
    /// Repeats steps.
    case `repeat`(StepRepetition)
    /// Runs a step with the method's own errors for its failures, by their number in ``MethodProgram/errors``.
    case step(ProgramStep, failures: [Failure: Int])

    /// A failure of a step.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// The response has an unexpected status.
        case status
        /// There is no response.
        case network
        /// A response lacks an expected value.
        case missing
        /// The application throws an error in place of an answer.
        case refused
        /// The application exceeds the time limit for an answer.
        case late
        /// The maximum number of repetitions is exceeded.
        case endless
        /// The subject or a name of a certificate is invalid.
        case name
        /// The kind of key is unknown, or the key could not be created or used.
        case key
        /// The response contains no certificate.
        case certificate
        /// A token is not signed by its issuer, has expired, or has an unexpected claim.
        case untrusted
        /// No certificate belongs to the key, or the certificate is not valid.
        case mismatch
    }
}

/// The repetition of steps under conditions.
public struct StepRepetition: Sendable, Hashable {
    /// The conditions, checked before each run, including the first.
    public let conditions: [StepCondition]
    /// The maximum number of runs.
    public let limit: Int
    /// The pause before each run, `every` in a spec: at least 1 second; `nil` for none. ``HTTPCall/Answer/delay`` increases it. A
    /// request without a response doubles it, up to 60 seconds, and fails only if its step has an error for that (RFC 8628, section
    /// 3.5).
    public let interval: StepTime?
    /// The time limit of the repetition, `within` in a spec: at most one hour; `nil` for the limit of the authentication.
    public let timeout: StepTime?
    public let steps: [ProgramStep]

    /// Creates a repetition.
    public init(
        while conditions: [StepCondition], limit: Int, every interval: StepTime? = nil, within timeout: StepTime? = nil,
        _ steps: [ProgramStep]
    ) {
        self.conditions = conditions
        self.limit = limit
        self.interval = interval
        self.timeout = timeout
        self.steps = steps
    }
}

/// A duration from a spec or a server.
public enum StepTime: Sendable, Hashable {
    case fixed(Duration)
    /// The duration in a slot.
    case slot(Int)

    /// Returns the duration; `nil` if the slot has none.
    func duration(_ values: [ProgramValue]) -> Duration? {
        switch self {
        case .fixed(let duration): duration
        case .slot(let slot): if case .duration(let duration) = values[slot] { duration } else { nil }
        }
    }
}

/// A condition of a step.
public enum StepCondition: Sendable, Hashable {
    /// The slot has a value.
    case present(Int)
    /// The slot has no value.
    case absent(Int)

    /// Whether the condition holds.
    ///
    /// - Parameter values: The values by slot.
    package func holds(_ values: [ProgramValue]) -> Bool {
        switch self {
        case .present(let slot): values[slot] != .absent
        case .absent(let slot): values[slot] == .absent
        }
    }
}

/// A computation of a step.
public enum ProgramFunction: Sendable, Hashable {
    /// Returns 256 random bits as 43 characters of Base64url: a `state`, a nonce, or a code verifier (RFC 7636).
    case random
    /// Returns the current one-time passcode (RFC 6238: SHA-1, 6 digits, 30 seconds) of a key in Base32.
    case totp(ProgramTemplate)
    /// Joins texts. Absent ones are omitted.
    case join([ProgramTemplate])
    /// Returns the scopes (RFC 6749, section 3.3) of several texts and lists without repetition; absent if there is none.
    case scopes([ProgramTemplate])
    /// Returns the value of a slot.
    case value(Int)
    case json(JSONTemplate)
    /// Computes keys and certificates.
    case certificate(CertificateFunction)
    /// Returns a hash, or with a key its message authentication code.
    case digest(DigestFunction)
    /// Returns the current time.
    case time(TimeFormat, clock: Int?)
    /// Returns whether all texts are present and equal.
    case same([ProgramTemplate])
    /// Merges JSON objects into one text. Values that are not objects are texts that contain one.
    case merge([JSONTemplate])
    /// Returns a new P-256 private key in PEM (PKCS #8).
    case signingKey
    /// Returns the thumbprint of a P-256 private key in PEM (RFC 7638, section 3).
    case thumbprint(ProgramTemplate)

    /// Whether the result only combines scopes or claims.
    var onlyCombines: Bool {
        switch self {
        case .scopes, .merge: true
        default: false
        }
    }
}

/// The placement of a credential in a request.
public enum CredentialPlacement: Sendable, Hashable {
    /// A header field, by its name.
    case header(ProgramTemplate, ProgramTemplate)
    /// A parameter of the URL's query, by its name.
    ///
    /// It is added before signatures, which cover it. Only the transport receives the URL with it.
    case query(ProgramTemplate, ProgramTemplate)
    /// A member of the JSON object in the body, by its name. It is added before signatures, which cover it.
    case json(String, JSONTemplate)
    /// A field of the form in the body, by its name. It is added before signatures, which cover it.
    case form(ProgramTemplate, ProgramTemplate)
    /// The `Authorization` field with the Basic scheme (RFC 7617).
    case basic(user: ProgramTemplate, password: ProgramTemplate)
    /// The `Authorization` field with the Digest scheme (RFC 7616), computed for each request.
    case digest(user: ProgramTemplate, password: ProgramTemplate)
    /// Header fields or query items that sign each request.
    case signature(SignatureVersion4)
    /// The client certificate of connections, in a slot.
    case connection(Int)
    /// Header fields that sign each request by HTTP Message Signatures (RFC 9421).
    case messageSignature(MessageSignature)
    /// Header fields with values that are computed for each request. Each function can use the results of those before it.
    case computed([ProgramFunction], headers: NamedList<HTTPCall.Member>)
    /// The `DPoP` field with a proof for each request (RFC 9449). The token is in another placement.
    case proof(ProofOfPossession)
    /// The `Authorization` field with the Negotiate scheme (RFC 4559), computed for each request.
    case negotiate(Negotiation)
}

/// The rule for a challenge to a request with the current credential.
public struct RejectionRule: Sendable, Hashable {
    /// An action of the rule.
    public enum Action: Sendable, Hashable {
        /// The credential is updated with the captured values of the challenge, without a step.
        case resend
        /// The steps of ``MethodProgram/renewal`` run, if a server has accepted the credential and it can be renewed.
        case renew
        /// The steps to a new credential run.
        case acquire
    }

    /// The name of the challenge; `nil` for any.
    public let challenge: String?
    /// The actions in order. Each runs if those before it had no result. Without any, the request fails, and the credential stays
    /// valid for other requests.
    public let actions: [Action]
    /// The maximum number of refusals in a row of credentials that no server has accepted. An accepted credential is always
    /// replaced.
    public let retries: Int
    /// Whether the credential stays valid for other requests, even if the steps fail, because only this request needs more.
    public let keepsCredential: Bool
    /// The error if no action has a result, by its number in ``MethodProgram/errors``; `nil` for
    /// ``CountersignError/Code/challengedAgain``.
    public let error: Int?

    /// Creates a rule.
    public init(
        challenge: String? = nil, _ actions: Action..., retries: Int = 0, keepsCredential: Bool = false, error: Int? = nil
    ) {
        self.init(challenge: challenge, actions, retries: retries, keepsCredential: keepsCredential, error: error)
    }

    /// Creates a rule.
    public init(
        challenge: String? = nil, _ actions: [Action], retries: Int = 0, keepsCredential: Bool = false, error: Int? = nil
    ) {
        self.keepsCredential = keepsCredential
        self.error = error
        self.challenge = challenge
        self.actions = actions
        self.retries = retries
    }
}
