// The functions that compute values.

extension ResolvedProgram {
    /// A function that computes a value.
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
