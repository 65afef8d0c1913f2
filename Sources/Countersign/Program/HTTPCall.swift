#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A method's own request, sent to obtain or end a credential.
///
/// It follows no redirects, and its response is compared with ``answers`` in order. Observers take part only if ``usesSession`` is
/// set.
public struct HTTPCall: Sendable, Hashable {
    /// A name and its value. Members with an absent value are not sent.
    public struct Member: NamedElement {
        public let name: ProgramTemplate
        public let value: ProgramTemplate

        /// Creates a member.
        public init(_ name: ProgramTemplate, _ value: ProgramTemplate) {
            self.name = name
            self.value = value
        }

        /// Returns a member for all answers to a ``PromptPage`` in a slot.
        public static func all(of slot: Int) -> Self { Self("*", ProgramTemplate(.slot(slot))) }
    }

    /// The body of a request.
    public enum Body: Sendable, Hashable {
        /// `application/x-www-form-urlencoded`.
        case form(NamedList<Member>)
        /// `application/json`.
        case json(JSONTemplate)
        /// `application/xml`, unless a header field sets another type. XML elements are inserted unchanged, other values are
        /// escaped, and absent values are omitted.
        case xml(ProgramTemplate)
        /// The bytes in a slot, with this media type.
        case data(Int, type: String)
    }

    /// A user name and password for HTTP Basic. If either is absent, the field is not sent.
    public struct Login: Sendable, Hashable {
        public let user: ProgramTemplate
        public let password: ProgramTemplate

        /// Creates a login.
        public init(user: ProgramTemplate, password: ProgramTemplate) {
            self.user = user
            self.password = password
        }
    }

    /// A client of an authorization server (RFC 6749, section 2.3). Without a secret, only `client_id` is sent in the form.
    public struct Client: Sendable, Hashable {
        /// A signature algorithm of RSA keys (RFC 7518, section 3.1).
        public enum RSAAlgorithm: String, Sendable, Hashable {
            /// RSASSA-PKCS1-v1_5 with SHA-256.
            case rs256 = "RS256"
            /// RSASSA-PSS with SHA-256.
            case ps256 = "PS256"
        }

        public let identifier: ProgramTemplate
        /// The client secret; `nil` for a client without one.
        public let secret: ProgramTemplate?
        /// The client authentication method: `client_secret_basic` or `client_secret_post` (RFC 7591, section 2), or `raw_basic`,
        /// which is the former without form encoding.
        public let authentication: ProgramTemplate
        /// The private key for signed assertions (RFC 7523, section 2.2) in place of a secret; `nil` for a client without one. If
        /// the PEM also contains certificates, assertions have the thumbprint of the first (RFC 7515, section 4.1.8).
        public let key: ProgramTemplate?
        /// The identifier of the key (`kid`); `nil` for none.
        public let keyIdentifier: ProgramTemplate?
        /// The audience of assertions.
        public let audience: ProgramTemplate?
        /// The algorithm of assertions with an RSA key.
        public let rsaAlgorithm: RSAAlgorithm

        /// Creates a client.
        public init(
            _ identifier: ProgramTemplate, secret: ProgramTemplate? = nil,
            authentication: ProgramTemplate = "client_secret_basic", key: ProgramTemplate? = nil,
            keyIdentifier: ProgramTemplate? = nil, audience: ProgramTemplate? = nil, rsaAlgorithm: RSAAlgorithm = .rs256
        ) {
            self.identifier = identifier
            self.secret = secret
            self.authentication = authentication
            self.key = key
            self.keyIdentifier = keyIdentifier
            self.audience = audience
            self.rsaAlgorithm = rsaAlgorithm
        }
    }

    /// An expected response.
    public struct Answer: Sendable, Hashable {
        /// The pattern of the response, with the values to capture.
        public let pattern: ChallengePattern
        /// Whether the response refuses the login.
        public let isRefusal: Bool
        /// The increase of the pause between repetitions after this response; see ``StepRepetition/interval``.
        public let delay: Duration

        /// Creates an answer.
        public init(_ pattern: ChallengePattern, isRefusal: Bool = false, delay: Duration = .zero) {
            self.pattern = pattern
            self.isRefusal = isRefusal
            self.delay = delay
        }

        /// Creates an answer with a pattern that has no name.
        public init(
            statuses: [Int] = [], headers: NamedList<ChallengePattern.Named> = [],
            schemes: [ChallengePattern.Scheme] = [], text: ChallengePattern.Match? = nil,
            json: NamedList<ChallengePattern.Named> = [], xml: NamedList<ChallengePattern.Named> = [],
            cookies: ChallengePattern.Cookies? = nil,
            query: NamedList<ChallengePattern.Named> = [], captures: [ChallengePattern.Capture] = [], isRefusal: Bool = false,
            delay: Duration = .zero
        ) {
            self.init(
                ChallengePattern(
                    "answer", statuses: statuses, headers: headers, schemes: schemes, text: text, json: json, xml: xml,
                    cookies: cookies,
                    query: query, captures: captures), isRefusal: isRefusal, delay: delay)
        }
    }

    /// The HTTP method.
    public let method: String
    public let url: ProgramTemplate
    /// The items that are added to the URL's query.
    public let query: NamedList<Member>
    public let headers: NamedList<Member>
    /// The body; `nil` for none.
    public let body: Body?
    public let login: Login?
    /// The request signature; `nil` for none.
    public let signature: SignatureVersion4?
    /// The proof of possession of the token's key; `nil` for none.
    public let proof: ProofOfPossession?
    /// The client of an authorization server; `nil` for other servers.
    public let client: Client?
    public let answers: [Answer]
    /// Whether the request passes through the session's observers, like a request of the application.
    public let usesSession: Bool
    /// The slot of the client certificate for the connection (RFC 8705, section 2); `nil` for none.
    public let identity: Int?
    /// The slot of the server's pins (RFC 7469, section 2.4); `nil` for none.
    public let pins: Int?
    /// The JSON pointer (RFC 6901) of the server's message in a response of another status; `nil` for none.
    public let message: String?

    /// Creates a call.
    public init(
        _ method: String, _ url: ProgramTemplate, query: NamedList<Member> = [],
        headers: NamedList<Member> = [], body: Body? = nil,
        login: Login? = nil, signature: SignatureVersion4? = nil, proof: ProofOfPossession? = nil,
        client: Client? = nil, answers: [Answer],
        usesSession: Bool = false, identity: Int? = nil, pins: Int? = nil,
        message: String? = nil
    ) {
        self.usesSession = usesSession
        self.identity = identity
        self.pins = pins
        self.message = message
        self.method = method
        self.url = url
        self.query = query
        self.headers = headers
        self.body = body
        self.login = login
        self.signature = signature
        self.proof = proof
        self.client = client
        self.answers = answers
    }
}

extension HTTPCall {
    /// The slots that the expected responses fill.
    var captured: [Int] { answers.flatMap(\.pattern.captures).map(\.slot) }

    /// Whether the request uses one of these slots.
    func uses(_ slots: [Int]) -> Bool {
        let logins = [login?.user, login?.password].compactMap(\.self) + (client?.templates ?? [])
        let templates = [url] + logins + [query, headers].joined().flatMap(\.templates)
        return templates.contains { $0.uses(slots) } || body?.uses(slots) == true || signature?.uses(slots) == true
            || proof?.uses(slots) == true || identity.map(slots.contains) == true
    }
}

extension HTTPCall.Member {
    var templates: [ProgramTemplate] { [name, value] }
}

extension HTTPCall.Client {
    /// The templates of the client.
    var templates: [ProgramTemplate] { [identifier, secret, authentication, key, keyIdentifier, audience].compactMap(\.self) }
}

extension HTTPCall.Body {
    fileprivate func uses(_ slots: [Int]) -> Bool {
        switch self {
        case .form(let members): members.contains { $0.templates.contains { $0.uses(slots) } }
        case .json(let json): json.uses(slots)
        case .xml(let text): text.uses(slots)
        case .data(let slot, _): slots.contains(slot)
        }
    }

    /// The media type.
    var contentType: String {
        switch self {
        case .form: "application/x-www-form-urlencoded"
        case .json: "application/json"
        case .xml: "application/xml"
        case .data(_, let type): type
        }
    }
}

extension FormParameters {
    /// Creates a form of the members that have a value.
    package init(_ members: NamedList<HTTPCall.Member>, _ values: [ProgramValue]) {
        self.init()
        for member in members {
            if case .slot(let slot)? = member.value.pieces.first, case .members(let answers) = values[slot] {
                for (name, value) in answers.sorted(by: { $0.key < $1.key }) { self[name] = value }
            } else if let name = member.name.text(values) {
                self[name] = member.value.text(values)
            }
        }
    }
}
