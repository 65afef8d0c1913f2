// HTTP Message Signatures (RFC 9421): the configuration in a spec.

/// The configuration of HTTP Message Signatures (RFC 9421).
public struct MessageSignature: Sendable, Hashable {
    /// A signature algorithm (RFC 9421, section 3.3).
    public enum Algorithm: String, Sendable, Hashable, CaseIterable {
        case hmacSHA256 = "hmac-sha256"
        case ecdsaP256 = "ecdsa-p256-sha256"
        case ecdsaP384 = "ecdsa-p384-sha384"
        case ed25519
        case rsaPSS = "rsa-pss-sha512"
        case rsaPKCS1 = "rsa-v1_5-sha256"
    }

    /// The nonce of a signature (RFC 9421, section 2.3).
    public enum Nonce: Sendable, Hashable {
        /// A random value for each signature.
        case random
        /// A value of the server; no nonce if it is absent.
        case given(ProgramTemplate)
    }

    public let algorithm: Algorithm
    /// The shared key, or the private key in PEM.
    public let key: ProgramTemplate
    /// The encoding of a shared key.
    public let keyEncoding: DigestFunction.KeyEncoding
    /// The identifier of the key (`keyid`); `nil` for none.
    public let keyIdentifier: ProgramTemplate?
    /// The covered components: derived components such as `@method`, and header field names in lower case.
    public let components: [String]
    /// The label of the signature in a message.
    public let label: String
    /// The lifetime of a signature; `nil` for no `expires` parameter.
    public let lifetime: Duration?
    /// The `tag` parameter; `nil` for none.
    public let tag: ProgramTemplate?
    /// The nonce; `nil` for none.
    public let nonce: Nonce?
    /// The slot of the server's clock offset; `nil` if there is none.
    public let clock: Int?

    /// Creates the configuration.
    public init(
        _ algorithm: Algorithm, key: ProgramTemplate, keyEncoding: DigestFunction.KeyEncoding = .base64,
        keyIdentifier: ProgramTemplate? = nil, components: [String], label: String = "sig1", lifetime: Duration? = nil,
        tag: ProgramTemplate? = nil, nonce: Nonce? = nil, clock: Int? = nil
    ) {
        self.algorithm = algorithm
        self.key = key
        self.keyEncoding = keyEncoding
        self.keyIdentifier = keyIdentifier
        self.components = components
        self.label = label
        self.lifetime = lifetime
        self.tag = tag
        self.nonce = nonce
        self.clock = clock
    }

    /// Returns the signer with values filled in; `nil` if the key is absent.
    ///
    /// - Throws: ``CountersignError/Code/invalidRequest`` for an unusable key, and for values that are invalid in a header field.
    func signer(_ values: [ProgramValue]) throws(CountersignError) -> MessageSignatureSigner? {
        guard let text = key.text(values) else { return nil }
        guard let key = MessageSigningKey(text, keyEncoding, for: algorithm) else {
            throw CountersignError(
                .invalidRequest,
                detail: algorithm == .hmacSHA256
                    ? "the key of the signature is not encoded in \(keyEncoding.rawValue)"
                    : "the key of the signature is not a private key in PEM, without a password, for \(algorithm.rawValue)\(algorithm.limit)"
            )
        }
        var given: ProgramTemplate?
        if case .given(let template) = nonce { given = template }
        let names = [keyIdentifier, tag, given].map { $0?.text(values) }
        guard names.compactMap(\.self).allSatisfy({ $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } }) else {
            throw CountersignError(
                .invalidRequest,
                detail: "the request cannot be signed: the key's name, the nonce or the tag has a non-ASCII character")
        }
        var signer = MessageSignatureSigner(
            key: key, keyIdentifier: names[0], components: components, label: label, lifetime: lifetime, tag: names[1],
            nonce: nonce == .random ? .random : names[2].map { .given($0) })
        if let clock, case .duration(let offset) = values[clock] { signer.offset = offset }
        return signer
    }
}

extension MessageSignature.Algorithm {
    /// The additional requirement on keys, for error messages.
    fileprivate var limit: String {
        switch self {
        case .rsaPSS, .rsaPKCS1: " of 2048 bits or more"
        case .hmacSHA256, .ecdsaP256, .ecdsaP384, .ed25519: ""
        }
    }
}
