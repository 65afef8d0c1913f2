#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A request of a method's own, on the way to a credential.
///
/// It follows no redirect, and its answer is compared with ``answers`` in their order. Unless ``usesSession`` is set, it goes without what
/// observers attach.
public struct HTTPCall: Sendable, Hashable {
    /// A name and its value; one whose value is absent is not sent.
    public struct Member: NamedElement {
        public let name: ProgramTemplate
        public let value: ProgramTemplate

        /// Makes a member.
        public init(_ name: ProgramTemplate, _ value: ProgramTemplate) {
            self.name = name
            self.value = value
        }

        /// All that the application has answered a ``PromptPage`` with, which a slot holds.
        public static func all(of slot: Int) -> Self { Self("*", ProgramTemplate(.slot(slot))) }
    }

    /// What a request sends.
    public enum Body: Sendable, Hashable {
        /// `application/x-www-form-urlencoded`.
        case form(NamedList<Member>)
        /// `application/json`.
        case json(JSONTemplate)
        /// `application/xml`, unless a header field says otherwise. Elements stand in it as they are, other values are escaped, and what is absent is
        /// left out.
        case xml(ProgramTemplate)
        /// The bytes of a slot, as this media type.
        case data(Int, type: String)
    }

    /// A user and a password that are sent by HTTP Basic; if either is absent, neither is sent.
    public struct Login: Sendable, Hashable {
        public let user: ProgramTemplate
        public let password: ProgramTemplate

        /// Makes a login.
        public init(user: ProgramTemplate, password: ProgramTemplate) {
            self.user = user
            self.password = password
        }
    }

    /// A client of an authorization server (RFC 6749, section 2.3). Without a secret it says its name in the form, as `client_id`.
    public struct Client: Sendable, Hashable {
        public let identifier: ProgramTemplate
        /// `nil` for a client that has none.
        public let secret: ProgramTemplate?
        /// How the secret is shown: `client_secret_basic` and `client_secret_post` as registered by RFC 7591 (section 2), or `raw_basic`, which is
        /// the first without the encoding of forms.
        public let authentication: ProgramTemplate
        /// The private key by which it signs an assertion for each request (RFC 7523, section 2.2), in place of a secret; `nil` for a client
        /// that has none.
        public let key: ProgramTemplate?
        /// What the server calls the key; `nil` for nothing.
        public let keyIdentifier: ProgramTemplate?
        /// For which server assertions are.
        public let audience: ProgramTemplate?

        /// Makes a client.
        public init(
            _ identifier: ProgramTemplate, secret: ProgramTemplate? = nil,
            authentication: ProgramTemplate = "client_secret_basic", key: ProgramTemplate? = nil,
            keyIdentifier: ProgramTemplate? = nil, audience: ProgramTemplate? = nil
        ) {
            self.identifier = identifier
            self.secret = secret
            self.authentication = authentication
            self.key = key
            self.keyIdentifier = keyIdentifier
            self.audience = audience
        }
    }

    /// An answer that is expected.
    public struct Answer: Sendable, Hashable {
        /// What it looks like, and what is taken from it.
        public let pattern: ChallengePattern
        /// Whether the server refuses the login with it.
        public let isRefusal: Bool
        /// How much longer the steps wait from then on that run again and again; see ``StepRepetition/interval``.
        public let delay: Duration

        /// Makes an answer.
        public init(_ pattern: ChallengePattern, isRefusal: Bool = false, delay: Duration = .zero) {
            self.pattern = pattern
            self.isRefusal = isRefusal
            self.delay = delay
        }

        /// Makes an answer with a pattern that has no name.
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

    /// The method of HTTP.
    public let method: String
    public let url: ProgramTemplate
    /// What is added to the URL's query.
    public let query: NamedList<Member>
    public let headers: NamedList<Member>
    /// What is sent; `nil` for nothing.
    public let body: Body?
    public let login: Login?
    /// What signs the request; `nil` if nothing does.
    public let signature: SignatureVersion4?
    /// Proves that it comes from the client that a token is issued to; `nil` if nothing does.
    public let proof: ProofOfPossession?
    /// The client that asks an authorization server; `nil` where the server is none.
    public let client: Client?
    public let answers: [Answer]
    /// Whether it goes through the observers of the session, which authenticate it like a request of the application's.
    public let usesSession: Bool
    /// The slot of the identity that its connection is made with (RFC 8705, section 2); `nil` for none.
    public let identity: Int?
    /// The slot with the pins of its server (RFC 7469, section 2.4); `nil` for none.
    public let pins: Int?
    /// Where an answer of another status says why, by its pointer (RFC 6901) into JSON; `nil` for nowhere.
    public let message: String?

    /// Makes a call.
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
    /// The slots that its answers fill.
    var captured: [Int] { answers.flatMap(\.pattern.captures).map(\.slot) }

    /// Whether a value of one of these slots is a part of the request.
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
    /// The texts in it.
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
    /// The members that have a value.
    init(_ members: NamedList<HTTPCall.Member>, _ values: [ProgramValue]) {
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
