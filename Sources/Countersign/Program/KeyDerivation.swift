internal import Crypto
internal import CryptoExtras

/// A key that is derived from a password by PBKDF2 with HMAC (RFC 8018, section 5.2). It has as many bytes as the hash.
public struct KeyDerivation: Sendable, Hashable {
    /// The hash function.
    public let algorithm: DigestFunction.Algorithm
    /// The password.
    public let password: ProgramTemplate
    public let passwordEncoding: DigestFunction.KeyEncoding
    /// The salt.
    public let salt: ProgramTemplate
    public let saltEncoding: DigestFunction.KeyEncoding
    /// The number of iterations in decimal digits.
    public let iterations: ProgramTemplate
    public let encoding: DigestFunction.Encoding

    /// Creates the function.
    public init(
        _ algorithm: DigestFunction.Algorithm, of password: ProgramTemplate,
        passwordEncoding: DigestFunction.KeyEncoding = .text, salt: ProgramTemplate,
        saltEncoding: DigestFunction.KeyEncoding = .text, iterations: ProgramTemplate,
        as encoding: DigestFunction.Encoding = .hex
    ) {
        self.algorithm = algorithm
        self.password = password
        self.passwordEncoding = passwordEncoding
        self.salt = salt
        self.saltEncoding = saltEncoding
        self.iterations = iterations
        self.encoding = encoding
    }
}

extension KeyDerivation {
    /// The iterations that a spec can require.
    ///
    /// The maximum takes some seconds, and is the largest number that password managers let their users choose.
    static let allowedIterations = 1...2_000_000

    /// The iterations that a server can require. With fewer, the password could soon be guessed from the result.
    static let allowedIterationsOfServers = 1_000...2_000_000

    /// Derivations take up to some seconds, which would block one of the cooperative threads. They run one at a time. The library
    /// cannot stop one that has begun, so the next one waits for it even if its caller was cancelled.
    private static let calls = BlockingCalls("countersign.key-derivation")

    /// The templates of the function.
    var templates: [ProgramTemplate] { [password, salt, iterations] }

    /// Returns the encoded key.
    ///
    /// - Parameter values: The values by slot.
    /// - Returns: `nil` if a value is absent.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for a password that is invalid in its encoding;
    ///   ``CountersignError/Code/unusableChallenge`` for a salt or a number of iterations that is not allowed; `CancellationError`, at
    ///   once, if the task is cancelled.
    func text(_ values: [ProgramValue]) async throws -> String? {
        guard let password = password.text(values), let salt = salt.text(values), let iterations = iterations.text(values) else {
            return nil
        }
        guard let secret = passwordEncoding.bytes(password) else {
            throw CountersignError(.invalidRequest, detail: "a password is not encoded in \(passwordEncoding.rawValue)")
        }
        guard let saltBytes = saltEncoding.bytes(salt), !saltBytes.isEmpty else {
            throw CountersignError(
                .unusableChallenge, detail: "the salt of a key is empty, or not encoded in \(saltEncoding.rawValue)")
        }
        let allowed = self.iterations.slots.isEmpty ? Self.allowedIterations : Self.allowedIterationsOfServers
        guard let count = Int(iterations), allowed.contains(count) else {
            throw CountersignError(
                .unusableChallenge,
                detail: "the number of iterations for a key is not from \(allowed.lowerBound) to \(allowed.upperBound)")
        }
        let algorithm = algorithm
        let key = try await Self.calls.performUnlessCancelled {
            try algorithm.derive(from: secret, salt: saltBytes, iterations: count)
        }
        return encoding.text(key)
    }
}

extension DigestFunction.Algorithm {
    private var byteCount: Int {
        switch self {
        case .sha256: SHA256.byteCount
        case .sha384: SHA384.byteCount
        case .sha512: SHA512.byteCount
        }
    }

    /// Derives a key with as many bytes as the hash.
    fileprivate func derive(from password: [UInt8], salt: [UInt8], iterations: Int) throws -> [UInt8] {
        let function: KDF.Insecure.PBKDF2.HashFunction =
            switch self {
            case .sha256: .sha256
            case .sha384: .sha384
            case .sha512: .sha512
            }
        // The library requires a non-empty password. HMAC pads a short key with zeros, so a single zero is equivalent. The
        // unchecked function accepts any number of iterations, which the caller has limited.
        return try KDF.Insecure.PBKDF2.deriveKey(
            from: password.isEmpty ? [0] : password, salt: salt, using: function, outputByteCount: byteCount,
            unsafeUncheckedRounds: iterations
        ).withUnsafeBytes { Array($0) }
    }
}
