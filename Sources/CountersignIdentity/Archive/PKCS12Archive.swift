public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A PKCS #12 archive (RFC 7292, `.p12` or `.pfx`): how identities are exported, handed out and kept.
///
/// ```swift
/// let archive = try PKCS12Archive(reading: data, password: "…", at: .now)
/// let identity = archive.identity
/// let bytes = try PKCS12Archive.write(identity)  // without a password, in a store that encrypts
/// ```
///
/// Read are modern archives (PBES2 with AES, codes with SHA-2, PBMAC1 of RFC 9579) and old ones (RC2, triple DES, SHA-1), in DER and in
/// BER. Written are modern ones only.
public struct PKCS12Archive: Sendable {
    /// The key, its certificate and its issuers.
    public let identity: ClientIdentity
    /// The certificates that the identity's chain does not need, as DER.
    public let otherCertificates: [[UInt8]]

    /// Reads an archive with one private key.
    ///
    /// It reads at most 256 KiB and a hundred certificates, and hashes at most four million times, so that an archive from a stranger
    /// costs seconds at most. Call it off the main thread nevertheless: a password is meant to be slow to try.
    ///
    /// - Parameters:
    ///   - bytes: The archive in binary form.
    ///   - password: Empty for none.
    ///   - instant: The moment at which the certificate has to be valid still.
    /// - Throws: ``IdentityError`` with ``IdentityError/Code/truncated``, ``IdentityError/Code/malformed``,
    ///   ``IdentityError/Code/wrongPassword``, ``IdentityError/Code/noPrivateKey``, ``IdentityError/Code/severalPrivateKeys``,
    ///   ``IdentityError/Code/noCertificate``, ``IdentityError/Code/expired``, ``IdentityError/Code/unsupported`` or
    ///   ``IdentityError/Code/tooLarge``.
    public init(reading bytes: some Sequence<UInt8>, password: String = "", at instant: Date) throws(IdentityError) {
        let contents = try PKCS12Reader.read(Array(bytes), password: password)
        let chain = try CertificateChain(of: contents.key, among: contents.certificates)
        guard !chain.identity.isExpired(at: instant) else {
            throw IdentityError(.expired, detail: "The certificate has expired.", notValidAfter: chain.identity.notValidAfter)
        }
        identity = chain.identity
        otherCertificates = chain.others
    }

    /// How often a password is hashed unless the caller says otherwise: what OWASP advises for PBKDF2 with SHA-256, and the most that
    /// Windows reads.
    public static let defaultIterations = 600_000
    /// The most iterations that can be written: three derivations of them can be read again here.
    public static let iterationLimit = 1_000_000

    /// Writes an identity with its chain: PBES2 with AES-256 and PBKDF2 with HMAC-SHA-256, and a code with HMAC-SHA-256.
    ///
    /// - Parameters:
    ///   - identity: Certificates and key.
    ///   - password: Empty for none: then the result can be read without one, and it belongs in a store that encrypts.
    ///   - iterations: Up to ``iterationLimit``; `nil` is ``defaultIterations`` with a password, and 2048 without one, where more of them
    ///     protect nothing.
    /// - Throws: ``IdentityError/Code/tooLarge`` for another number of iterations, or for an archive that could not be read again.
    public static func write(
        _ identity: ClientIdentity, password: String = "", iterations: Int? = nil
    ) throws(IdentityError) -> SecretBytes {
        try write(identity, password: password, iterations: iterations) { count in
            (0..<count).map { _ in UInt8.random(in: .min ... .max) }
        }
    }

    /// - Parameter random: Gives so many bytes that cannot be guessed.
    static func write(
        _ identity: ClientIdentity, password: String, iterations: Int?, random: (Int) -> [UInt8]
    ) throws(IdentityError) -> SecretBytes {
        let count = iterations ?? (password.isEmpty ? 2048 : defaultIterations)
        guard (1...iterationLimit).contains(count) else {
            throw IdentityError(.tooLarge, detail: "\(count) iterations were asked for; 1 to \(iterationLimit) can be written.")
        }
        let bytes: [UInt8]
        do {
            bytes = try PKCS12Writer(password: ArchivePassword(password), iterations: count).archive(
                of: identity, random: random)
        } catch {
            throw IdentityError(.keyFailed, detail: "The archive could not be encrypted.")
        }
        guard bytes.count <= PKCS12Reader.byteLimit else {
            throw IdentityError(
                .tooLarge, detail: "The archive would have \(bytes.count) bytes; \(PKCS12Reader.byteLimit) is the limit.")
        }
        return SecretBytes(bytes)
    }
}

extension PKCS12Archive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identity's fingerprint, and how many certificates were left over.
    public var description: String { "PKCS12Archive(\(identity), \(otherCertificates.count) other certificates)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["identity": identity], displayStyle: .struct) }
}
