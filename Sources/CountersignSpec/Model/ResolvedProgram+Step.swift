extension ResolvedProgram {
    /// A step, which runs where all of its conditions hold.
    public struct Step: Sendable {
        public enum Action: Sendable {
            /// Asks for what is absent of these.
            case prompt([PromptField])
            /// Shows a login page.
            case present(Page)
            /// Sends a request.
            case http(Call)
            /// Sends a form to a token endpoint.
            case token(TokenCall)
            /// Fetches what a server publishes, unless it was fetched lately.
            case document(Document)
            /// Checks a token, and takes what it says.
            case verify(Verification)
            /// Works out a value.
            case compute(slot: Int, Function)
            /// Asks for what a page wants to know, which the JSON of the first slot is, and puts the answers into the other; the
            /// application has so many milliseconds for each.
            case ask(PromptPage, of: Int, into: Int, within: Int)
            /// Runs steps again as long as something holds.
            case `repeat`(Repetition)
        }

        /// What a step can fail with.
        public enum Failure: String, Sendable, Hashable, CaseIterable {
            case status, network, missing, refused, late, endless, name, key, certificate, mismatch, untrusted
        }

        public var conditions: [Requirement]
        public var action: Action
        /// The error cases for what can go wrong.
        public var failures: [(failure: Failure, errorCase: Located<String>)] = []
    }

    /// What a server publishes.
    public struct Document: Sendable {
        public var name: String
        /// Where it is, of which the next is asked where a server has nothing.
        public var places: [Place]
        /// What it has to say, and what is taken of it.
        public var content: Challenge
        /// How many milliseconds it is kept.
        public var lifetime: Int

        public struct Place: Sendable {
            public var url: Template
            /// The name under `/.well-known/`, before the path of the URL.
            public var wellKnown: String?
            /// Whether the path of the URL is left out.
            public var isRoot = false
        }

        /// The requests for it.
        var calls: [Call] {
            places.map {
                Call(
                    method: .get, url: $0.url, query: [], headers: [], answers: [Answer(pattern: content, isRefusal: false)])
            }
        }
    }

    /// What a token has to say to be taken.
    public struct Verification: Sendable {
        /// The slots of the token and of the URL of its issuer's keys.
        public var token, keys: Int
        /// The claims that are compared, unless what they are compared with is absent.
        public var claims: [Member]
        /// The slot of the access token that came with it.
        public var accessToken: Int?
        /// The slot of how many seconds ago the user may have logged in.
        public var maximumAge: Int?
        public var captures: [Capture]

        /// The texts in it.
        var templates: [Template] {
            claims.map(\.value)
                + ([token, keys] + [accessToken, maximumAge].compactMap(\.self)).map { Template(pieces: [.slot($0)]) }
        }
    }

    /// Where JSON says what a server wants to know: pointers by their keys in the spec, in the order of the language.
    public typealias PromptPage = [(key: PromptPageKey, text: String)]

    public enum PromptPageKey: String, Sendable, Hashable, CaseIterable {
        case fields, name, prompt, preset, type, hidden, confirms, message
        case messageType = "message-type"
        case disclaimer
    }

    /// Steps that run as long as all conditions hold.
    public struct Repetition: Sendable {
        public var limit: Int
        public var conditions: [Requirement]
        /// The pause before each time.
        public var interval: Time?
        /// How long they go on.
        public var timeout: Time?
        public var steps: [Step]
    }

    /// A time that the spec or a server names.
    public enum Time: Sendable, Hashable {
        case milliseconds(Int)
        case slot(Int)

        /// The slot, if it has one.
        var slot: Int? { if case .slot(let slot) = self { slot } else { nil } }
    }

    /// A value that has to be there, or has to be absent.
    public struct Requirement: Sendable, Hashable {
        public var slot: Int
        public var isPresent: Bool
    }

    /// The steps from one credential to the next.
    public struct Renewal: Sendable {
        /// The slots without which there is nothing to renew.
        public var needs: [Int]
        public var steps: [Step]
    }

    public enum Function: Sendable, Hashable {
        /// An unpredictable text.
        case random
        /// The one-time passcode of now (RFC 6238) for a key in Base32.
        case totp(Template)
        /// Texts one behind another, without those that are absent.
        case join([Template])
        /// The scopes of several texts and lists, each once.
        case scopes([Template])
        /// Whether all of some texts are there and the same.
        case same([Template])
        /// Objects of JSON in one.
        case merge([JSON])
        /// The value of a slot as it is.
        case value(Int)
        case json(JSON)
        case certificate(CertificateFunction)
        case digest(Digest)
        /// The time of now; the slot has how far the server's clock is ahead.
        case time(TimeFormat, clock: Int?)
        /// A new private key on P-256, in PEM.
        case signingKey
        /// The hash by which servers name a private key on P-256.
        case thumbprint(Template)
    }

    /// A hash of a text, or with a key its message authentication code.
    public struct Digest: Sendable, Hashable {
        public enum Algorithm: String, Sendable, Hashable, CaseIterable {
            case sha256 = "sha-256"
            case sha384 = "sha-384"
            case sha512 = "sha-512"
        }

        public enum Encoding: String, Sendable, Hashable, CaseIterable {
            case hex, base64, base64url
        }

        public enum KeyEncoding: String, Sendable, Hashable, CaseIterable {
            case text, hex, base64
        }

        public var algorithm: Algorithm
        public var message: Template
        public var key: Template?
        public var keyEncoding = KeyEncoding.text
        public var encoding = Encoding.hex
    }

    /// How a point in time is written.
    public enum TimeFormat: String, Sendable, Hashable, CaseIterable {
        case unix
        case unixMilliseconds = "unix-milliseconds"
        case rfc3339, http
    }

    /// What is made of keys and certificates.
    public enum CertificateFunction: Sendable, Hashable {
        /// A private key of the kind that a text says.
        case key(Template)
        /// A certificate request for the key of a slot.
        case request(key: Int, subject: Template?, dns: Template?, email: Template?)
        /// The identity of the key of a slot and the certificates of another.
        case identity(key: Int, certificates: Int)
        /// The certificate request or the identity of a slot, as PEM.
        case pem(Int)
        /// The serial number of the identity of a slot.
        case serialNumber(Int)
        /// How long the identity of a slot is good for still.
        case lifetime(Int)
    }

    /// A tree of JSON with values in it; a text whose value is absent is left out.
    public indirect enum JSON: Sendable, Hashable {
        case text(Template)
        /// A tree that a step has computed.
        case value(Int)
        case number(String)
        case flag(Bool)
        case null
        case list([JSON])
        case object([Member])

        public struct Member: Sendable, Hashable {
            public var name: String
            public var value: JSON
        }
    }

    public struct PromptField: Sendable {
        public enum Kind: Sendable {
            case text, secret, identity
        }

        public var slot: Int
        public var summary: String
        public var type = Kind.text
    }
}

extension ResolvedProgram.Step {
    /// The request that it sends, if it does.
    var call: ResolvedProgram.Call? { if case .http(let call) = action { call } else { nil } }

    /// The requests that it sends.
    var calls: [ResolvedProgram.Call] {
        switch action {
        case .http(let call): [call]
        case .document(let document): document.calls
        case .prompt, .present, .token, .verify, .compute, .ask, .repeat: []
        }
    }

    /// What it checks, if it does.
    var verification: ResolvedProgram.Verification? {
        if case .verify(let verification) = action { verification } else { nil }
    }

    /// What it works out, if it does.
    var computed: (slot: Int, function: ResolvedProgram.Function)? {
        if case .compute(let slot, let function) = action { (slot, function) } else { nil }
    }

    /// The step, and before it those that it repeats.
    var all: [Self] { if case .repeat(let repetition) = action { repetition.steps.flatMap(\.all) + [self] } else { [self] } }

    /// What it looks at, to run or to run again.
    var requirements: [ResolvedProgram.Requirement] {
        if case .repeat(let repetition) = action { conditions + repetition.conditions } else { conditions }
    }

    /// The slots that it takes as they are.
    var wholeSlots: [Int] {
        switch action {
        case .ask(_, let slot, _, _): [slot]
        case .repeat(let repetition): [repetition.interval?.slot, repetition.timeout?.slot].compactMap(\.self)
        case .present(let page): [page.code?.lifetime?.slot].compactMap(\.self)
        case .prompt, .http, .token, .compute, .document, .verify: []
        }
    }
}

extension ResolvedProgram.JSON {
    /// The texts in it.
    var templates: [ResolvedProgram.Template] {
        switch self {
        case .text(let template): [template]
        case .value(let slot): [ResolvedProgram.Template(pieces: [.slot(slot)])]
        case .number, .flag, .null: []
        case .list(let items): items.flatMap(\.templates)
        case .object(let members): members.flatMap(\.value.templates)
        }
    }
}

extension ResolvedProgram.Function {
    /// The texts that it is made of.
    var templates: [ResolvedProgram.Template] {
        switch self {
        case .random, .signingKey: []
        case .totp(let template), .thumbprint(let template): [template]
        case .join(let templates), .scopes(let templates), .same(let templates): templates
        case .json(let json): json.templates
        case .merge(let objects): objects.flatMap(\.templates)
        case .value(let slot): [.init(pieces: [.slot(slot)])]
        case .certificate(let function): function.templates
        case .digest(let digest): [digest.message] + [digest.key].compactMap(\.self)
        case .time(_, let clock): clock.map { [.init(pieces: [.slot($0)])] } ?? []
        }
    }
}

extension ResolvedProgram.CertificateFunction {
    /// The texts that it is made of.
    fileprivate var templates: [ResolvedProgram.Template] {
        let slots: [Int]
        switch self {
        case .key(let kind): return [kind]
        case .request(let key, let subject, let dns, let email):
            return [.init(pieces: [.slot(key)])] + [subject, dns, email].compactMap(\.self)
        case .identity(let key, let certificates): slots = [key, certificates]
        case .pem(let slot), .serialNumber(let slot), .lifetime(let slot): slots = [slot]
        }
        return slots.map { .init(pieces: [.slot($0)]) }
    }
}
