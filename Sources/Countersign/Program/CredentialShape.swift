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
    /// The slot of the credential's lifetime; `nil` if it is unknown or ``fixedLifetime``.
    public let lifetime: Int?
    /// The lifetime of every credential, such as a token that the client signs; `nil` if servers state it in ``lifetime``, or if it
    /// is unknown.
    public let fixedLifetime: Duration?
    /// The slots of the URLs and origins that may receive the credential.
    public let destinations: [Int]
    /// The slots of the fields with URLs whose servers receive the credential too. A server that the user logs in to names them.
    public let recipients: [Int]
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
        fields: [Field] = [], separators: [ProgramTemplate] = [], space: Space = .origin, lifetime: Int? = nil,
        fixedLifetime: Duration? = nil, destinations: [Int], recipients: [Int] = [], isForRequested: Bool = false,
        isEager: Bool = false, cookies: Int? = nil, isSessionCookies: Bool = false, token: Token? = nil
    ) {
        self.token = token
        self.recipients = recipients
        self.isSessionCookies = isSessionCookies
        self.isForRequested = isForRequested
        self.isEager = isEager
        self.lifetime = lifetime
        self.fixedLifetime = fixedLifetime
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
    /// replaced. With ``keepsCredential``, only credentials count that were obtained after a challenge of the same name.
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
