internal import HTTPTypes

/// A challenge of the Digest scheme (RFC 7616, section 3.3) that the client can answer.
struct DigestChallenge: Sendable, Hashable {
    /// The hash functions, from the weakest to the strongest.
    enum Hash: Int, Sendable, Hashable, Comparable {
        case md5, sha256

        static func < (left: Hash, right: Hash) -> Bool { left.rawValue < right.rawValue }
    }

    let realm: String
    let nonce: String
    let opaque: String?
    let hash: Hash
    /// Whether the algorithm is a session variant (`-sess`): one hash of user name and password for the whole session.
    let isSession: Bool
    /// The algorithm as the server writes it; `nil` if it names none, which means MD5.
    let algorithm: String?
    /// Whether the response has a nonce count and a client nonce (`qop=auth`). Servers older than RFC 2617 support neither.
    let isCounted: Bool
    /// Whether the user name is sent as a hash.
    let hashesUser: Bool
    /// Whether the previous response was refused only because its nonce was too old.
    let isStale: Bool

    /// Returns the strongest challenge that can be answered, the first one of equals.
    static func strongest(_ challenges: [AuthenticationChallenge]) -> DigestChallenge? {
        challenges.compactMap { DigestChallenge($0) }.reduce(nil) { best, next in
            guard let best else { return next }
            return next.hash > best.hash ? next : best
        }
    }

    /// - Returns: `nil` for another scheme, for an unsupported algorithm, or for a server that accepts only `auth-int`.
    init?(_ challenge: AuthenticationChallenge) {
        guard challenge.hasScheme("Digest"), let realm = challenge["realm"], let nonce = challenge["nonce"], !nonce.isEmpty else {
            return nil
        }
        let algorithm = challenge["algorithm"]
        switch algorithm?.lowercased() {
        case nil, "md5": (hash, isSession) = (.md5, false)
        case "md5-sess": (hash, isSession) = (.md5, true)
        case "sha-256": (hash, isSession) = (.sha256, false)
        case "sha-256-sess": (hash, isSession) = (.sha256, true)
        default: return nil
        }
        let protections = challenge["qop"]?.split { $0 == "," || $0 == " " }.map { $0.lowercased() }
        guard protections?.contains("auth") ?? !isSession else { return nil }
        isCounted = protections != nil
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        opaque = challenge["opaque"]
        hashesUser = challenge["userhash"]?.lowercased() == "true"
        isStale = challenge["stale"]?.lowercased() == "true"
    }
}

extension DigestChallenge: RedactedDescription {
    package var visibleParts: KeyValuePairs<String, String> { ["realm": realm, "stale": "\(isStale)"] }
}
