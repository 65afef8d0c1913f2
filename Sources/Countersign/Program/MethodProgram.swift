// A method as data, without closures: the generator prints it as a constant, and one runtime executes it. Values have slots, which are
// indexes into one list: parameters, what challenges say, the credential's fields, what steps find out.

/// A method of authentication as data: the life of its credential, from the challenge that asks for it to its end.
///
/// Generated from a spec. With the values of ``ProgramParameters`` it is executed by a ``ProgramObserver``, by a ``ProgramAuthenticator`` where
/// the credential is the session's cookies, and by a ``GrantAuthenticator`` where it is a token of OAuth 2.0. An enrolment, whose credential
/// another method uses, has no challenge, and is executed by what `CountersignIdentity` has for it.
public struct MethodProgram: Sendable, Hashable {
    /// The name in the spec, such as `HTTPBasic`.
    public let name: String
    /// The name of this way to a credential in the spec, such as `client-credentials`, of a method that has several; `nil` for the only one.
    public let grant: String?
    /// One sentence.
    public let summary: String
    /// What the method has values for; templates refer to them by index.
    public let slots: [ProgramSlot]
    /// Header fields of each request to the servers that may receive the credential, whether or not there is one: by these the client says
    /// what it can do. Each is a list, to which the request's own members come first.
    public let announcements: NamedList<HTTPCall.Member>
    /// Any of these is a challenge; the first that fits and has all that it captures is taken.
    public let challenges: [ChallengePattern]
    /// What a credential consists of, what it is kept apart by, and where it may go.
    public let credential: CredentialShape
    /// What servers publish, for the steps.
    public let documents: [ProgramDocument]
    /// The steps to a credential.
    public let acquire: [ProgramStep]
    /// How another credential comes of one that the servers have given; `nil` if only ``acquire`` leads to one.
    public let renewal: CredentialRenewal?
    /// Where the credential is in a request; its cookies need no mention.
    public let attach: [CredentialPlacement]
    /// What follows a challenge to a request that had the credential; the first rule that fits the challenge holds.
    public let rejections: [RejectionRule]
    /// The steps that tell servers, after a logout, that the credential is no longer used.
    public let end: [ProgramStep]
    /// The error types of the method's own, whose cases are numbered through.
    public let errors: [ErrorTable]
    /// What requests end in where there is no credential, by numbers that count through the cases of all ``errors``; what is not here is a ``CountersignError``.
    public let failures: [ProgramFailure: Int]

    /// Makes a program.
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
    /// The same method with one of its ways to a credential.
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

/// Why the steps have led to no credential.
public enum ProgramFailure: String, Sendable, Hashable, CaseIterable {
    /// The user gave up.
    case cancelled
    /// The application has none.
    case missing
    /// What the application has given cannot be sent.
    case unusable
    /// A parameter cannot be used, such as an address to which a login would be sent unencrypted.
    case invalidArgument
    /// An authentication was begun explicitly while another one was under way.
    case busy
}

/// A value that a method knows by name.
public struct ProgramSlot: Sendable, Hashable {
    /// Where the value comes from.
    public enum Source: Sendable, Hashable {
        /// From the application, when the observer is made.
        case parameter
        /// From a challenge.
        case challenge
        /// Kept in the credential.
        case credential
        /// From a step, for those after it.
        case step
    }

    /// The name in the spec.
    public let name: String
    public let source: Source
    /// Whether nothing may print it.
    public let isSecret: Bool

    /// A slot of the application's.
    public static func parameter(_ name: String, isSecret: Bool = false) -> Self {
        Self(name: name, source: .parameter, isSecret: isSecret)
    }

    /// A slot for what challenges say.
    public static func challenge(_ name: String, isSecret: Bool = false) -> Self {
        Self(name: name, source: .challenge, isSecret: isSecret)
    }

    /// A slot of the credential.
    public static func credential(_ name: String, isSecret: Bool = false) -> Self {
        Self(name: name, source: .credential, isSecret: isSecret)
    }

    /// A slot that steps fill.
    public static func step(_ name: String, isSecret: Bool = false) -> Self {
        Self(name: name, source: .step, isSecret: isSecret)
    }
}

/// What a credential consists of, what it is kept apart by, and where it may go.
public struct CredentialShape: Sendable, Hashable {
    /// How far what a challenge says holds for requests that were not challenged.
    public enum Space: Sendable, Hashable {
        /// For all requests to the origin.
        case origin
        /// For requests to paths at and below those that were challenged (RFC 7617, section 2.2).
        case directory
        /// For all requests to all servers that may receive the credential.
        case servers
    }

    /// A field of the credential.
    public struct Field: Sendable, Hashable {
        /// The field's slot.
        public let slot: Int
        /// What it is filled with before the steps run; `nil` if a step fills it.
        public let value: ProgramTemplate?

        /// A field, with what fills it before the steps run.
        public static func slot(_ slot: Int, from value: ProgramTemplate? = nil) -> Self { Self(slot: slot, value: value) }
    }

    /// The fields.
    public let fields: [Field]
    /// What credentials are kept apart by, beside what the space says.
    public let separators: [ProgramTemplate]
    public let space: Space
    /// The slot that says how long the credential is good for; `nil` if nothing does.
    public let lifetime: Int?
    /// The slots of the URLs and origins that may receive the credential.
    public let destinations: [Int]
    /// Whether the first origin that the application asks may receive it, where ``destinations`` have no value.
    public let isForRequested: Bool
    /// Whether requests have it from the first one on, before a server has asked for it.
    public let isEager: Bool
    /// The slot of the cookies that a login leaves, which are kept apart from those of the session; `nil` if there are none. Requests of
    /// ``MethodProgram/acquire`` begin without cookies, and those of ``MethodProgram/end`` carry these.
    public let cookies: Int?
    /// Whether the credential is what a login leaves in the session's own cookies: one for all requests of the session, which the rules of
    /// cookies send where they are for. It has no fields, and no servers are named.
    public let isSessionCookies: Bool

    /// The slots of a token of OAuth 2.0, which is the whole credential and has no fields; `nil` for any other.
    public let token: Token?

    /// What steps need of a token to get another one.
    public struct Token: Sendable, Hashable {
        /// The slots of the access token and the refresh token; `nil` for what no step needs.
        public let access, refresh: Int?

        /// Makes the slots.
        public init(access: Int? = nil, refresh: Int? = nil) {
            self.access = access
            self.refresh = refresh
        }
    }

    /// Makes a shape.
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

/// The steps from one credential to the next, such as those with a refresh token.
public struct CredentialRenewal: Sendable, Hashable {
    /// The slots of the credential without which there is nothing to renew.
    public let needs: [Int]
    /// The steps. They run without the user; what they do not fill stays as it was, but for the lifetime.
    public let steps: [ProgramStep]

    /// Makes a renewal.
    public init(needs: [Int] = [], _ steps: [ProgramStep]) {
        self.needs = needs
        self.steps = steps
    }
}

/// One step to a credential.
public indirect enum ProgramStep: Sendable, Hashable {
    /// Asks the application, unless all slots have a value; the number is the prompt's, among those of the method. Slots without a value get
    /// the answer.
    case prompt(Int, slots: [Int])
    /// Shows a login page until the browser is sent back.
    case present(LoginPage)
    /// Sends a request of the method's own.
    case http(HTTPCall)
    /// Sends a form to a token endpoint, whose answer is the credential.
    case token(TokenCall)
    /// Fetches one of ``MethodProgram/documents``, unless that was done lately.
    case document(Int)
    /// Checks a token, and takes what it says.
    case verify(TokenVerification)
    /// Works out the value of a slot.
    case compute(slot: Int, ProgramFunction)
    /// Runs a step where all conditions hold.
    case when([StepCondition], ProgramStep)
    /// Asks the application for what a page wants to know, which the JSON of the first slot is, and puts what it answers into the other. The
    /// application has so much time for each answer.
    case ask(PromptPage, of: Int, into: Int, within: Duration)
    /// Runs steps again and again.
    case `repeat`(StepRepetition)
    /// Runs a step, and ends in errors of the method's own, by numbers as in ``MethodProgram/errors``, where it fails.
    case step(ProgramStep, failures: [Failure: Int])

    /// What a step can fail with.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// An answer has a status that none has which is expected.
        case status
        /// There is no answer.
        case network
        /// An answer lacks what is expected of it.
        case missing
        /// The application gives an error in place of an answer.
        case refused
        /// The application takes too long for an answer.
        case late
        /// Steps would be run again more often than they may.
        case endless
        /// The subject or a name of a certificate is none.
        case name
        /// There is no such kind of key, or it could not be made or used.
        case key
        /// There is no certificate in what came.
        case certificate
        /// A token is not signed by its issuer, has expired, or says something else than it has to.
        case untrusted
        /// None of the certificates is the key's, or it is not valid.
        case mismatch
    }
}

/// Steps that run as long as something holds.
public struct StepRepetition: Sendable, Hashable {
    /// What has to hold, the first time, too.
    public let conditions: [StepCondition]
    /// How often they run at most.
    public let limit: Int
    /// The pause before each time, `every` in a spec: 1 second at least; `nil` for none. ``HTTPCall/Answer/delay`` makes it longer. A request
    /// without an answer doubles it, to 60 seconds, and ends nothing unless its step has an error for that (RFC 8628, section 3.5).
    public let interval: StepTime?
    /// How long they go on, `within` in a spec: an hour at most; `nil` for as long as the authentication may take.
    public let timeout: StepTime?
    public let steps: [ProgramStep]

    /// Makes a repetition.
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

/// A time that a spec or a server names.
public enum StepTime: Sendable, Hashable {
    case fixed(Duration)
    /// That of a slot.
    case slot(Int)

    /// The time; `nil` if there is none in the slot.
    func duration(_ values: [ProgramValue]) -> Duration? {
        switch self {
        case .fixed(let duration): duration
        case .slot(let slot): if case .duration(let duration) = values[slot] { duration } else { nil }
        }
    }
}

/// What has to hold for a step to run.
public enum StepCondition: Sendable, Hashable {
    /// The slot has a value.
    case present(Int)
    /// The slot has no value.
    case absent(Int)

    /// Whether it holds.
    ///
    /// - Parameter values: The values by slot.
    func holds(_ values: [ProgramValue]) -> Bool {
        switch self {
        case .present(let slot): values[slot] != .absent
        case .absent(let slot): values[slot] == .absent
        }
    }
}

/// What a step works out.
public enum ProgramFunction: Sendable, Hashable {
    /// 256 random bits in the 43 characters of base64url: a `state`, a nonce, or the code verifier of RFC 7636.
    case random
    /// The one-time passcode of now (RFC 6238: SHA-1, 6 digits, 30 seconds) for a key in Base32.
    case totp(ProgramTemplate)
    /// Texts one behind another, without those that are absent.
    case join([ProgramTemplate])
    /// The scopes (RFC 6749, section 3.3) of several texts and lists, each once; absent if there is none.
    case scopes([ProgramTemplate])
    /// The value of a slot as it is.
    case value(Int)
    case json(JSONTemplate)
    /// What takes keys and certificates.
    case certificate(CertificateFunction)
    /// A hash of a text, or its code by a key.
    case digest(DigestFunction)
    /// The time of now.
    case time(TimeFormat, clock: Int?)
    /// Whether all of some texts are there and the same.
    case same([ProgramTemplate])
    /// Objects of JSON in one text: those of these that are none as they stand are texts that have one.
    case merge([JSONTemplate])
    /// A new private key on P-256, in PEM (PKCS #8).
    case signingKey
    /// The hash by which servers name a private key on P-256 in PEM (RFC 7638, section 3).
    case thumbprint(ProgramTemplate)
}

/// Where a credential is in a request.
public enum CredentialPlacement: Sendable, Hashable {
    /// In a header field, by its name.
    case header(ProgramTemplate, ProgramTemplate)
    /// In the `Authorization` field, by the Basic scheme (RFC 7617).
    case basic(user: ProgramTemplate, password: ProgramTemplate)
    /// In the `Authorization` field, by the Digest scheme (RFC 7616), for each request anew.
    case digest(user: ProgramTemplate, password: ProgramTemplate)
    /// In header fields that sign each request anew, or in its query.
    case signature(SignatureVersion4)
    /// As the identity with which connections to the server are made; the slot has it.
    case connection(Int)
    /// In header fields that sign each request by HTTP Message Signatures (RFC 9421).
    case messageSignature(MessageSignature)
    /// In header fields, with values that are worked out for each request anew: each can be made of those before it.
    case computed([ProgramFunction], headers: NamedList<HTTPCall.Member>)
    /// In the `DPoP` field, a proof for each request anew (RFC 9449); the token itself is in another placement.
    case proof(ProofOfPossession)
    /// In the `Authorization` field, by the Negotiate scheme (RFC 4559), for each request anew.
    case negotiate(Negotiation)
}

/// What follows a challenge to a request that had the present credential.
public struct RejectionRule: Sendable, Hashable {
    /// What is done.
    public enum Action: Sendable, Hashable {
        /// The credential is filled anew with what the challenge says, without a step.
        case resend
        /// The steps of ``MethodProgram/renewal`` run, if a server has accepted the credential and there is something to renew.
        case renew
        /// The steps to a credential run.
        case acquire
    }

    /// The name of the challenge; `nil` for any.
    public let challenge: String?
    /// In this order, each if what is before it has led to nothing.
    public let actions: [Action]
    /// How many refusals in a row are borne of credentials that no server has accepted; an accepted one is always replaced.
    public let retries: Int
    /// Whether the credential goes on to serve other requests, and stays where the steps fail: it is good, and this request needs more.
    public let keepsCredential: Bool
    /// What the requests end in where nothing follows, by its number as in ``MethodProgram/errors``; `nil` for
    /// ``CountersignError/Code/challengedAgain``.
    public let error: Int?

    /// Makes a rule.
    public init(
        challenge: String? = nil, _ actions: Action..., retries: Int = 0, keepsCredential: Bool = false, error: Int? = nil
    ) {
        self.init(challenge: challenge, actions, retries: retries, keepsCredential: keepsCredential, error: error)
    }

    /// Makes a rule.
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
