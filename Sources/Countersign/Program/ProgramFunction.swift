/// A computation of a step.
public enum ProgramFunction: Sendable, Hashable {
    /// Returns 256 random bits as 43 characters of Base64url: a `state`, a nonce, or a code verifier (RFC 7636).
    case random
    /// Returns the current one-time passcode (RFC 6238: SHA-1, 6 digits, 30 seconds) of a key in Base32.
    case totp(ProgramTemplate)
    /// Joins texts. Absent ones are omitted.
    case join([ProgramTemplate])
    /// Joins texts and encodes the UTF-8 bytes of the result. Absent ones are omitted.
    case encode([ProgramTemplate], as: DigestFunction.Encoding)
    /// Returns the scopes (RFC 6749, section 3.3) of several texts and lists without repetition; absent if there is none.
    case scopes([ProgramTemplate])
    /// Returns the value of a slot.
    case value(Int)
    case json(JSONTemplate)
    /// Computes keys and certificates.
    case certificate(CertificateFunction)
    /// Returns a hash, or with a key its message authentication code.
    case digest(DigestFunction)
    /// Derives a key from a password, as a secret.
    case derive(KeyDerivation)
    /// Returns a part of a text.
    case part(TextPart)
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
    /// Returns a signed JSON Web Token, as a secret.
    case token(TokenFunction)

    /// Whether the result contains the values that it is computed from, so that it is a credential if one of them is.
    var keepsValues: Bool {
        switch self {
        case .value, .join, .encode, .part, .json, .merge, .certificate: true
        case .random, .totp, .scopes, .digest, .derive, .time, .same, .signingKey, .thumbprint, .token: false
        }
    }

    /// Whether the result only combines scopes or claims.
    var onlyCombines: Bool {
        switch self {
        case .scopes, .merge: true
        default: false
        }
    }
}

extension ProgramFunction {
    /// Returns the scopes (RFC 6749, section 3.3) of texts and lists without repetition; `nil` if there is none. A server can send
    /// as many as a body holds.
    static func distinctScopes(of texts: [ProgramTemplate], _ values: [ProgramValue]) -> String? {
        var scopes: [Substring] = []
        var known: Set<Substring> = []
        for text in texts {
            let found = text.loneSlot.map { values[$0].texts } ?? [text.text(values)].compactMap(\.self)
            for scope in found.flatMap({ $0.split(separator: " ") }) where known.insert(scope).inserted { scopes.append(scope) }
        }
        return scopes.isEmpty ? nil : scopes.joined(separator: " ")
    }

    /// Whether the function uses one of these slots.
    func uses(_ slots: [Int]) -> Bool {
        switch self {
        case .random, .signingKey: false
        case .totp(let text), .thumbprint(let text): text.uses(slots)
        case .join(let texts), .scopes(let texts), .same(let texts), .encode(let texts, as: _): texts.contains { $0.uses(slots) }
        case .value(let slot): slots.contains(slot)
        case .json(let json): json.uses(slots)
        case .merge(let objects): objects.contains { $0.uses(slots) }
        case .certificate(let function): function.uses(slots)
        case .digest(let digest): digest.templates.contains { $0.uses(slots) }
        case .derive(let derivation): derivation.templates.contains { $0.uses(slots) }
        case .part(let part): part.templates.contains { $0.uses(slots) }
        case .token(let token): token.uses(slots)
        case .time(_, let clock): clock.map(slots.contains) ?? false
        }
    }
}
