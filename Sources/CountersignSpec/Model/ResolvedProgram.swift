/// A method as the life of its credential, from the challenge to the rejection.
///
/// Values have slots: first the parameters in the order of the file, then what challenges say, then the fields of the
/// credential, then what steps find out.
public struct ResolvedProgram: Sendable {
    public var name: Located<String>
    /// The name of this way to a credential, of a method that has several.
    public var grant: String?
    /// The stem of the file, which names the generated file.
    public var stem: String
    public var documentation: Documentation
    /// What people call it, if that is not its name.
    public var title: String?
    /// What the application gives, with the first slots.
    public var parameters: [ResolvedField]
    /// All values that have a name.
    public var slots: [Slot]
    /// By which header fields all requests say what the client can do.
    public var announcements: [Member] = []
    public var challenges: [Challenge]
    public var credential: Credential
    public var acquire: [Step]
    /// How another credential comes of one; `nil` if none does.
    public var renewal: Renewal?
    public var attach: [Placement]
    public var rejections: [Rejection]
    /// What tells servers that the credential is no longer used.
    public var end: [Step]
    /// The errors of the method's own.
    public var errors: [ResolvedErrorType] = []
    /// The error cases for what leads to no credential.
    public var failures: [(failure: Failure, errorCase: Located<String>)] = []

    /// Why there is no credential.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// The user gave up.
        case cancelled
        /// The application has none.
        case missing
        /// What the application gave cannot be used.
        case unusable
        /// A parameter cannot be used.
        case invalidArgument
        /// An authentication was begun explicitly while another was under way.
        case busy
    }
}

extension ResolvedProgram {
    public struct Slot: Sendable {
        public enum Source: Sendable, Hashable {
            case parameter, challenge, credential, step
        }

        public var name: Located<String>
        public var source: Source
        public var isSecret: Bool
        /// What a parameter's slot is filled with, where that is not a field as it is.
        public var filling: Filling?
    }

    /// A text or an address that is made of parameters.
    public enum Filling: Sendable, Hashable {
        case text(ResolvedTemplate)
        case url(ResolvedTemplate)
        /// One that can be absent.
        case optionalURL(ResolvedTemplate)
        /// A text that is absent where it is empty.
        case nonempty(ResolvedTemplate)
        /// A list of texts, absent where it is empty.
        case texts(ResolvedTemplate)
        /// The servers that the credential is for, by the addresses that the steps lead to.
        case servers
        /// The application's last word on a request: a field with a function.
        case preparation(Located<String>)
    }

    /// A text with values in it.
    public struct Template: Sendable, Hashable {
        public enum Piece: Sendable, Hashable {
            case text(String)
            case slot(Int)
            /// The origin of the request.
            case requestOrigin
            /// A part of the request that is signed.
            case request(RequestPart)
            /// A value that is worked out of it, by its place.
            case computed(Int)
        }

        public var pieces: [Piece]
    }

    /// A part of a request as it is sent.
    public enum RequestPart: String, Sendable, Hashable, CaseIterable {
        case method, host, path, query, target, body
    }

    /// One look of a challenge, or of the answer to a request of the method's own; all that it names has to agree.
    public struct Challenge: Sendable {
        public var name: Located<String>
        /// What has to hold of the parameters.
        public var conditions: [Requirement] = []
        /// Whether it is a connection that the server refuses.
        public var isRefusedConnection = false
        /// Empty for any.
        public var statuses: [Int]
        public var headers: [Condition]
        /// What it offers, at most one in each field.
        public var schemes: [Scheme]
        /// What is in its body; `nil` for anything.
        public var text: Condition.Match?
        /// The values of a JSON body, by pointers.
        public var json: [Condition]
        /// The texts of a body of XML, by paths.
        public var xml: [Condition] = []
        /// What it sets; `nil` for anything or nothing, none for a cookie of whatever name.
        public var cookies: [Condition]?
        /// The query of the URL that a browser was sent back to.
        public var query: [Condition]
        public var captures: [Capture]
        /// A real response of this look, for documentation.
        public var example: ResponseExample?
    }

    /// An authentication scheme with parameters that all agree.
    public struct Scheme: Sendable, Hashable {
        /// The field that offers one, by the key of the language.
        public enum Field: String, Sendable, Hashable, CaseIterable {
            case wwwAuthenticate = "www-authenticate"
            case proxyAuthenticate = "proxy-authenticate"
        }

        public var field = Field.wwwAuthenticate
        public var name: String
        public var parameters: [Condition]
    }

    /// What a named value has to be.
    public struct Condition: Sendable, Hashable {
        public enum Match: Sendable, Hashable {
            case present
            case equals(Template)
            case prefix(Template)
            case contains(Template)
            /// As a whole, whatever letters are capital.
            case anyCase(Template)
        }

        public var name: Template
        public var match: Match
    }

    /// A value of a challenge or of an answer.
    public struct Capture: Sendable, Hashable {
        public enum Source: Sendable, Hashable {
            case header(String)
            /// A parameter of the authentication scheme.
            case parameter(String)
            /// Pointers into a body of JSON, of which the first that leads to a value counts.
            case json([String])
            /// A cookie that is set.
            case cookie(String)
            /// A value in the query of the URL that a browser was sent back to.
            case query(String)
            /// An input of an HTML body, by its name.
            case input(Template)
            /// An element or an attribute of XML, by its path.
            case xml(String)
            /// All of the body.
            case body
        }

        /// What it is read as.
        public enum Kind: Sendable, Hashable {
            case text
            /// A text that is written in base64.
            case decoded
            case url(within: [Place], isLenient: Bool)
            /// A number of seconds.
            case seconds
            /// A point in time, as the time that is left until then.
            case date
            /// A point in time as it is.
            case moment
            /// The server's time.
            case clock
            /// The texts of a list, or the one that there is.
            case texts
            /// The whole body, as JSON if it is that.
            case json
            /// An element of XML.
            case element
            /// Whether it is this text, or any item of a list is.
            case flag(is: String)
            /// A truth value of JSON, which has to be there.
            case truth
        }

        /// Where a URL may lead.
        public enum Place: Sendable, Hashable {
            /// To the origin of the response.
            case response
            /// To those of a parameter.
            case slot(Int)
        }

        public var slot: Int
        public var source: Source
        public var kind = Kind.text
        public var fallback: String?
        /// Whether the response fits without it.
        public var isOptional: Bool

        /// Whether a response without the value is another one.
        var isDemanded: Bool { !isOptional && fallback == nil }
    }

    public struct Credential: Sendable {
        public enum Space: String, Sendable, Hashable, CaseIterable {
            case origin, directory, servers
        }

        public var fields: [CredentialField]
        public var separators: [Template]
        public var space: Space
        /// The slot of the field that says how long it is good for.
        public var lifetime: Int?
        /// The slots of the parameters with the servers that may receive it.
        public var destinations: [Int]
        /// Whether the first origin that the application asks may receive it, where no parameter names another.
        public var isForRequested = false
        /// Whether the application takes it, and no request carries it.
        public var isForApplication = false
        /// Whether requests have it before a server asks for it.
        public var isEager = false
        /// The slot of its cookies, if they are kept apart from those of the session.
        public var cookies: Int?
        /// Whether it is what a login leaves in the session's own cookies.
        public var isSessionCookies = false
        /// The slots of what steps need of a token, where the credential is one.
        public var token: Token?
    }

    public struct Token: Sendable {
        public var access, refresh: Int?
    }

    public struct CredentialField: Sendable {
        public var slot: Int
        public var summary: String
        /// What it is filled with; `nil` if a step fills it.
        public var value: Template?
        /// Whether it is in no request, and there for a store.
        public var isForStore = false
    }

    public enum Placement: Sendable, Hashable {
        /// In a header field, of which the name can be a parameter.
        case header(Template, Template)
        case basic(user: Template, password: Template)
        case digest(user: Template, password: Template)
        case signature(SignatureVersion4)
        /// The slot of what connections are made with.
        case connection(Int)
        case messageSignature(MessageSignature)
        /// In header fields, with values that are worked out for each request anew.
        case computed([Function], headers: [Member])
        case proof(Proof)
        case negotiate(Negotiation)
    }

    /// What proves who the user is by the Negotiate scheme (RFC 4559).
    public struct Negotiation: Sendable, Hashable {
        public var service, principal: Template?
        /// The slot with whether it is bound to the connection.
        public var bound: Int?
        /// The slot with whether any mechanism will do.
        public var anyMechanism: Int?

        /// The texts in it.
        var templates: [Template] {
            [service, principal].compactMap(\.self)
                + [bound, anyMechanism].compactMap(\.self).map { Template(pieces: [.slot($0)]) }
        }
    }

    /// A signature by AWS Signature Version 4.
    public struct SignatureVersion4: Sendable, Hashable {
        public var identifier, key: Template
        public var session: Template?
        public var region, service: Template
        /// The slot with how far the server's clock is ahead.
        public var clock: Int?
        /// How many milliseconds a signature in the query is good for; `nil` for one in header fields.
        public var lifetimeInQuery: Int?

        /// The texts in it.
        var templates: [Template] {
            [identifier, key, session, region, service, clock.map { Template(pieces: [.slot($0)]) }].compactMap(\.self)
        }
    }

    /// A proof of possession by DPoP (RFC 9449).
    public struct Proof: Sendable, Hashable {
        public var key: Template
        public var token: Template?

        /// The texts in it.
        var templates: [Template] { [key, token].compactMap(\.self) }
    }

    /// A signature by HTTP Message Signatures (RFC 9421).
    public struct MessageSignature: Sendable, Hashable {
        public enum Algorithm: String, Sendable, Hashable, CaseIterable {
            case hmacSHA256 = "hmac-sha256"
            case ecdsaP256 = "ecdsa-p256-sha256"
            case ecdsaP384 = "ecdsa-p384-sha384"
            case ed25519
            case rsaPSS = "rsa-pss-sha512"
            case rsaPKCS1 = "rsa-v1_5-sha256"
        }

        /// A value by which a server tells a signature from one that it has seen.
        public enum Nonce: Sendable, Hashable {
            case random
            case given(Template)
        }

        public var algorithm: Algorithm
        public var key: Template
        public var keyEncoding = Digest.KeyEncoding.base64
        public var keyIdentifier: Template?
        public var components: [String]
        public var label = "sig1"
        /// How many milliseconds it is good for.
        public var lifetime: Int?
        public var tag: Template?
        public var nonce: Nonce?
        /// The slot with how far the server's clock is ahead.
        public var clock: Int?

        /// The texts in it.
        var templates: [Template] {
            var given: Template?
            if case .given(let template) = nonce { given = template }
            return [key, keyIdentifier, tag, given, clock.map { Template(pieces: [.slot($0)]) }].compactMap(\.self)
        }
    }

    public struct Rejection: Sendable, Hashable {
        public enum Action: String, Sendable, Hashable, CaseIterable {
            case resend, renew, acquire
        }

        /// `nil` for any.
        public var challenge: String?
        /// In this order, each if what is before it has led to nothing.
        public var actions: [Action]
        public var retries: Int
        /// Whether the credential stays good for other requests.
        public var keepsCredential = false
        /// The error case where nothing follows.
        public var error: Located<String>?
    }
}

extension ResolvedProgram {
    /// The prompts among the steps.
    public var prompts: [[PromptField]] {
        acquire.flatMap(\.all).compactMap { step in
            if case .prompt(let fields) = step.action { fields } else { nil }
        }
    }

    /// All steps, with those that are repeated.
    public var steps: [Step] { (acquire + (renewal?.steps ?? []) + end).flatMap(\.all) }

    /// Whether the application is asked for what a server wants to know.
    public var asksPages: Bool {
        steps.contains { step in
            if case .ask = step.action { true } else { false }
        }
    }

    /// Whether steps make keys and certificates.
    public var makesCertificates: Bool {
        functions.contains { function in
            if case .certificate = function { true } else { false }
        }
    }

    /// What servers publish and the steps name, once each.
    public var documents: [Document] {
        // Those of the end come first: it is the same for all ways to the credential, which count on from them.
        var documents: [Document] = []
        for step in end.flatMap(\.all) + steps {
            if case .document(let document) = step.action, !documents.contains(where: { $0.name == document.name }) {
                documents.append(document)
            }
        }
        return documents
    }

    /// The requests among the steps.
    public var calls: [Call] { steps.flatMap(\.calls) }

    /// The tokens that steps check.
    var verifications: [Verification] { steps.compactMap(\.verification) }

    /// Whether steps check tokens.
    public var verifiesTokens: Bool { !verifications.isEmpty }

    /// Whether a client signs tokens that say who it is.
    public var signsTokens: Bool {
        (calls.map(\.client) + tokenCalls.map(\.client) + pages.map(\.push?.client)).contains { $0?.key != nil }
    }

    /// Whether requests show tickets that the system has.
    public var showsTickets: Bool { attach.contains { if case .negotiate = $0 { true } else { false } } }

    /// The token requests among the steps.
    public var tokenCalls: [TokenCall] {
        steps.compactMap { step in
            if case .token(let call) = step.action { call } else { nil }
        }
    }

    /// The login pages among the steps.
    public var pages: [Page] {
        steps.compactMap { step in
            if case .present(let page) = step.action { page } else { nil }
        }
    }

    /// What is worked out by the steps.
    var functions: [Function] {
        steps.compactMap { step in
            if case .compute(_, let function) = step.action { function } else { nil }
        }
    }

    /// Whether the application is asked on every way through the steps.
    public var alwaysAsks: Bool {
        acquire.contains { step in
            guard step.conditions.isEmpty, case .prompt(let fields) = step.action else { return false }
            return fields.contains { slots[$0.slot].source == .credential }
        }
    }
}

extension ResolvedProgram.Filling {
    /// What it is made of, if that is a text.
    package var template: ResolvedTemplate? {
        switch self {
        case .text(let template), .url(let template), .optionalURL(let template), .nonempty(let template), .texts(let template):
            template
        case .servers, .preparation: nil
        }
    }
}

extension ResolvedProgram.Condition {
    init(name: String, match: Match) {
        self.init(name: ResolvedProgram.Template(pieces: [.text(name)]), match: match)
    }
}

extension ResolvedProgram.Template {
    /// The slots that it names.
    var slots: [Int] {
        pieces.compactMap { piece in
            if case .slot(let slot) = piece { slot } else { nil }
        }
    }

    /// The places of what it names of a request's own values.
    var computed: [Int] {
        pieces.compactMap { piece in
            if case .computed(let number) = piece { number } else { nil }
        }
    }
}
