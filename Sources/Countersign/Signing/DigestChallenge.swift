internal import HTTPTypes

/// A challenge of the Digest scheme (RFC 7616, section 3.3), as far as it can be answered here.
struct DigestChallenge: Sendable, Hashable {
    /// The hash functions, the weakest first.
    enum Hash: Int, Sendable, Hashable, Comparable {
        case md5, sha256

        static func < (left: Hash, right: Hash) -> Bool { left.rawValue < right.rawValue }
    }

    let realm: String
    let nonce: String
    let opaque: String?
    let hash: Hash
    /// Whether one hash of name and password serves a whole session.
    let isSession: Bool
    /// The algorithm as the server writes it; `nil` if it names none, which means MD5.
    let algorithm: String?
    /// Whether the answer counts its uses and has a random part of the client's (`qop=auth`); servers older than RFC 2617 know neither.
    let isCounted: Bool
    /// Whether the name is sent as a hash.
    let hashesUser: Bool
    /// Whether only the nonce was too old.
    let isStale: Bool

    /// The strongest of the challenges that can be answered; of equals the first.
    static func strongest(_ challenges: [AuthenticationChallenge]) -> DigestChallenge? {
        challenges.compactMap { DigestChallenge($0) }.reduce(nil) { best, next in
            guard let best else { return next }
            return next.hash > best.hash ? next : best
        }
    }

    /// - Returns: `nil` for another scheme, for an algorithm that is not known here, or for a server that takes none but `auth-int`.
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
