public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A PKCS #12 archive (RFC 7292, `.p12` or `.pfx`) with an identity.
///
/// ```swift
/// let archive = try PKCS12Archive(reading: data, password: "…", at: .now)
/// let identity = archive.identity
/// let bytes = try PKCS12Archive.write(identity)  // without a password, in a store that encrypts
/// ```
///
/// It reads modern archives (PBES2 with AES, MACs with SHA-2, PBMAC1 of RFC 9579) and old ones (RC2, triple DES, SHA-1), in DER and
/// BER. It writes only modern ones.
public struct PKCS12Archive: Sendable {
    /// The private key, its certificate and the issuers' certificates.
    public let identity: ClientIdentity
    /// The certificates in DER that do not belong to the identity's chain.
    public let otherCertificates: [[UInt8]]

    /// Reads an archive with one private key.
    ///
    /// The limits are 256 KiB, 100 certificates and four million hash iterations, so that an untrusted archive takes a few seconds
    /// at most. Do not call it on the main thread, since key derivation is slow by design.
    ///
    /// - Parameters:
    ///   - bytes: The archive in binary form.
    ///   - password: The password; empty for none.
    ///   - instant: The time at which the certificate must not have expired.
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

    /// The default number of PBKDF2 iterations: OWASP's recommendation for SHA-256, and the maximum that Windows reads.
    public static let defaultIterations = 600_000
    /// The maximum number of iterations for writing. An archive with three such derivations can still be read.
    public static let maximumIterations = 1_000_000

    /// Encodes an identity with its chain: PBES2 with AES-256 and PBKDF2 with HMAC-SHA-256, and a MAC with HMAC-SHA-256.
    ///
    /// - Parameters:
    ///   - identity: The certificates and the key.
    ///   - password: The password; empty for none. Without a password, store the result in an encrypted store.
    ///   - iterations: The number of iterations, up to ``maximumIterations``. `nil` means ``defaultIterations`` with a password, and
    ///     2048 without one.
    /// - Throws: ``IdentityError/Code/tooLarge`` for a number of iterations out of range, or for an archive that exceeds the limits
    ///   for reading.
    public static func write(
        _ identity: ClientIdentity, password: String = "", iterations: Int? = nil
    ) throws(IdentityError) -> SecretBytes {
        try write(identity, password: password, iterations: iterations) { count in
            (0..<count).map { _ in UInt8.random(in: .min ... .max) }
        }
    }

    /// - Parameter random: Returns the given number of unpredictable bytes.
    static func write(
        _ identity: ClientIdentity, password: String, iterations: Int?, random: (Int) -> [UInt8]
    ) throws(IdentityError) -> SecretBytes {
        let count = iterations ?? (password.isEmpty ? 2048 : defaultIterations)
        guard (1...maximumIterations).contains(count) else {
            throw IdentityError(.tooLarge, detail: "\(count) iterations were requested; 1 to \(maximumIterations) are supported.")
        }
        let bytes: [UInt8]
        do {
            bytes = try PKCS12Writer(password: ArchivePassword(password), iterations: count).archive(
                of: identity, random: random)
        } catch {
            throw IdentityError(.keyFailed, detail: "The archive could not be encrypted.")
        }
        guard bytes.count <= PKCS12Reader.maximumSize else {
            throw IdentityError(
                .tooLarge, detail: "The archive would have \(bytes.count) bytes; \(PKCS12Reader.maximumSize) is the limit.")
        }
        return SecretBytes(bytes)
    }
}

extension PKCS12Archive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identity's fingerprint, and the number of other certificates.
    public var description: String { "PKCS12Archive(\(identity), \(otherCertificates.count) other certificates)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["identity": identity], displayStyle: .struct) }
}
