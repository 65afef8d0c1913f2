extension ResolvedProgram {
    /// A step, which runs if all of its conditions hold.
    package struct Step: Sendable {
        package enum Action: Sendable {
            /// Asks the application for those of the fields that are absent.
            case prompt([PromptField])
            /// Shows a login page.
            case present(Page)
            /// Sends a request.
            case http(Call)
            /// Sends a form to a token endpoint.
            case token(TokenCall)
            /// Fetches a document that a server publishes, unless it is cached.
            case document(Document)
            /// Verifies a token and captures its claims.
            case verify(Verification)
            /// Computes a value.
            case compute(slot: Int, Function)
            /// Asks the application for the fields of a server's page, whose JSON is in the first slot, and stores the answers in
            /// the second slot. `within` is the time limit of an answer in milliseconds.
            case ask(PromptPage, of: Int, into: Int, within: Int)
            /// Repeats steps while conditions hold.
            case `repeat`(Repetition)
        }

        /// A failure of a step.
        package enum Failure: String, Sendable, Hashable, CaseIterable {
            case status, network, missing, refused, late, endless, name, key, certificate, mismatch, untrusted
        }

        package var conditions: [Requirement]
        package var action: Action
        /// The error cases for failures.
        package var failures: [(failure: Failure, errorCase: Located<String>)] = []
    }

    /// A document that a server publishes.
    package struct Document: Sendable {
        package var name: String
        /// The places of the document. If a server does not have it at one place, the next is requested.
        package var places: [Place]
        /// The required values of the document, and the values to capture.
        package var content: Challenge
        /// The cache lifetime in milliseconds.
        package var lifetime: Int

        package struct Place: Sendable {
            package var url: Template
            /// The name under `/.well-known/`, before the path of the URL.
            package var wellKnown: String?
            /// Whether the path of the URL is omitted.
            package var isRoot = false
        }

        /// The requests for the document.
        var calls: [Call] {
            places.map {
                Call(
                    method: .get, url: $0.url, query: [], headers: [], answers: [Answer(pattern: content, isRefusal: false)])
            }
        }
    }

    /// The verification of a token.
    package struct Verification: Sendable {
        /// The slots of the token and of the URL of its issuer's keys.
        package var token, keys: Int
        /// The required claims. A claim is not compared if its expected value is absent.
        package var claims: [Member]
        /// The slot of the access token from the same response.
        package var accessToken: Int?
        /// The slot of the maximum age of the user's authentication in seconds.
        package var maximumAge: Int?
        package var captures: [Capture]

        /// The templates in the verification.
        var templates: [Template] {
            let conditions = captures.flatMap(\.items).flatMap(\.templates)
            return claims.map(\.value) + conditions
                + ([token, keys] + [accessToken, maximumAge].compactMap(\.self)).map { Template(pieces: [.slot($0)]) }
        }
    }

    /// The JSON pointers to the parts of a server's page, by their keys in the spec, in the order of the language.
    package typealias PromptPage = [(key: PromptPageKey, text: String)]

    package enum PromptPageKey: String, Sendable, Hashable, CaseIterable {
        case fields, name, prompt, preset, type, hidden, confirms, message
        case messageType = "message-type"
        case disclaimer
    }

    /// Steps that are repeated while all conditions hold.
    package struct Repetition: Sendable {
        package var limit: Int
        package var conditions: [Requirement]
        /// The pause before each run.
        package var interval: Time?
        /// The time limit of all runs.
        package var timeout: Time?
        package var steps: [Step]
    }

    /// A time that the spec or a server specifies.
    package enum Time: Sendable, Hashable {
        case milliseconds(Int)
        case slot(Int)

        /// The slot of a time that a server specifies.
        var slot: Int? { if case .slot(let slot) = self { slot } else { nil } }
    }

    /// A condition that a value is present, or that it is absent.
    package struct Requirement: Sendable, Hashable {
        package var slot: Int
        package var isPresent: Bool
    }

    /// The steps that renew a credential.
    package struct Renewal: Sendable {
        /// The slots whose values are required for a renewal.
        package var needs: [Int]
        package var steps: [Step]
    }

    package enum Function: Sendable, Hashable {
        /// An unpredictable text.
        case random
        /// The current one-time passcode (RFC 6238) for a key in Base32.
        case totp(Template)
        /// The concatenation of texts. Absent ones are omitted.
        case join([Template])
        /// The bytes of the concatenation of texts, in an encoding. Absent ones are omitted.
        case encode([Template], Digest.Encoding)
        /// The scopes of several texts and lists, each once.
        case scopes([Template])
        /// Whether all of the texts are present and equal.
        case same([Template])
        /// The merged members of JSON objects.
        case merge([JSON])
        /// The unchanged value of a slot.
        case value(Int)
        case json(JSON)
        case certificate(CertificateFunction)
        case digest(Digest)
        /// A key that is derived from a password.
        case derive(KeyDerivation)
        /// A part of a text, after and before other texts.
        case part(Template, after: Template?, before: Template?)
        /// The current time. The slot has the offset by which the server's clock is ahead.
        case time(TimeFormat, clock: Int?)
        /// A new private key on P-256, in PEM.
        case signingKey
        /// The thumbprint by which servers identify a private key on P-256.
        case thumbprint(Template)
        /// A JSON Web Token that the client signs.
        case token(SignedToken)
    }

    /// A JSON Web Token that the client signs.
    package struct SignedToken: Sendable, Hashable {
        /// The claims other than those that are added: `iat`, `exp`, and `jti` unless it is among these.
        package var claims: [JSON.Member]
        /// The private key in PEM.
        package var key: Template
        package var keyIdentifier: Template?
        /// Whether an RSA key signs with PSS.
        package var usesPSS = false
        /// The time from `iat` to `exp` in milliseconds.
        package var lifetime: Int
        /// The time by which `iat` is in the past, in milliseconds.
        package var clockSkew = 0
    }

    /// A hash of a text, or its message authentication code if there is a key.
    package struct Digest: Sendable, Hashable {
        package enum Algorithm: String, Sendable, Hashable, CaseIterable {
            case sha256 = "sha-256"
            case sha384 = "sha-384"
            case sha512 = "sha-512"
        }

        package enum Encoding: String, Sendable, Hashable, CaseIterable {
            case hex, base64, base64url
        }

        package enum KeyEncoding: String, Sendable, Hashable, CaseIterable {
            case text, hex, base64
        }

        package var algorithm: Algorithm
        package var message: Template
        package var messageEncoding = KeyEncoding.text
        package var key: Template?
        package var keyEncoding = KeyEncoding.text
        package var encoding = Encoding.hex
    }

    /// A key that is derived from a password (PBKDF2).
    package struct KeyDerivation: Sendable, Hashable {
        package var algorithm: Digest.Algorithm
        package var password: Template
        package var passwordEncoding = Digest.KeyEncoding.text
        package var salt: Template
        package var saltEncoding = Digest.KeyEncoding.text
        package var iterations: Template
        package var encoding = Digest.Encoding.hex
    }

    /// The format of a point in time.
    package enum TimeFormat: String, Sendable, Hashable, CaseIterable {
        case unix
        case unixMilliseconds = "unix-milliseconds"
        case rfc3339, http
    }

    /// A function that creates or reads keys and certificates.
    package enum CertificateFunction: Sendable, Hashable {
        /// A new private key of the kind that a text specifies.
        case key(Template)
        /// A certificate request for the key in a slot.
        case request(key: Int, subject: Template?, dns: Template?, email: Template?)
        /// The identity of the key in a slot and the certificates in another.
        case identity(key: Int, certificates: Int)
        /// The certificate request or the identity in a slot, as PEM.
        case pem(Int)
        /// The serial number of the identity in a slot.
        case serialNumber(Int)
        /// The remaining lifetime of the identity in a slot.
        case lifetime(Int)
    }

    /// A JSON value with inserted values. A text whose value is absent is omitted.
    package indirect enum JSON: Sendable, Hashable {
        case text(Template)
        /// A JSON value that a step has computed.
        case value(Int)
        case number(String)
        case flag(Bool)
        case null
        case list([JSON])
        case object([Member])

        package struct Member: Sendable, Hashable {
            package var name: Template
            package var value: JSON
        }
    }

    package struct PromptField: Sendable {
        package enum Kind: Sendable {
            case text, secret, identity
        }

        package var slot: Int
        package var summary: String
        package var type = Kind.text
    }
}

extension ResolvedProgram.Step {
    /// The request of an `http` step; `nil` for other steps.
    var call: ResolvedProgram.Call? { if case .http(let call) = action { call } else { nil } }

    /// The requests of an `http` or `document` step.
    var calls: [ResolvedProgram.Call] {
        switch action {
        case .http(let call): [call]
        case .document(let document): document.calls
        case .prompt, .present, .token, .verify, .compute, .ask, .repeat: []
        }
    }

    /// The verification of a `verify` step; `nil` for other steps.
    var verification: ResolvedProgram.Verification? {
        if case .verify(let verification) = action { verification } else { nil }
    }

    /// The slot and the function of a `compute` step; `nil` for other steps.
    var computed: (slot: Int, function: ResolvedProgram.Function)? {
        if case .compute(let slot, let function) = action { (slot, function) } else { nil }
    }

    /// The step, preceded by the steps that it repeats.
    var all: [Self] { if case .repeat(let repetition) = action { repetition.steps.flatMap(\.all) + [self] } else { [self] } }

    /// The conditions for running and for repeating the step.
    var requirements: [ResolvedProgram.Requirement] {
        if case .repeat(let repetition) = action { conditions + repetition.conditions } else { conditions }
    }

    /// The slots whose values the step uses outside of templates.
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
    /// The templates in the JSON.
    var templates: [ResolvedProgram.Template] {
        switch self {
        case .text(let template): [template]
        case .value(let slot): [ResolvedProgram.Template(pieces: [.slot(slot)])]
        case .number, .flag, .null: []
        case .list(let items): items.flatMap(\.templates)
        case .object(let members): members.flatMap { [$0.name] + $0.value.templates }
        }
    }
}

extension ResolvedProgram.Function {
    /// The templates of the arguments.
    var templates: [ResolvedProgram.Template] {
        switch self {
        case .random, .signingKey: []
        case .totp(let template), .thumbprint(let template): [template]
        case .join(let templates), .scopes(let templates), .same(let templates), .encode(let templates, _): templates
        case .json(let json): json.templates
        case .merge(let objects): objects.flatMap(\.templates)
        case .value(let slot): [.init(pieces: [.slot(slot)])]
        case .certificate(let function): function.templates
        case .digest(let digest): [digest.message] + [digest.key].compactMap(\.self)
        case .derive(let derivation): [derivation.password, derivation.salt, derivation.iterations]
        case .part(let text, let start, let end): [text] + [start, end].compactMap(\.self)
        case .token(let token):
            [token.key] + [token.keyIdentifier].compactMap(\.self) + ResolvedProgram.JSON.object(token.claims).templates
        case .time(_, let clock): clock.map { [.init(pieces: [.slot($0)])] } ?? []
        }
    }
}

extension ResolvedProgram.CertificateFunction {
    /// The templates of the arguments.
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
