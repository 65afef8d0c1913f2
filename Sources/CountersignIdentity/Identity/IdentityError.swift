public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error in reading, creating or writing an identity.
///
/// It contains no key, no password, no bytes of an archive, and no subject, which identifies the user.
public struct IdentityError: SecretFreeError, Sendable, Hashable, CustomDebugStringConvertible {
    /// The kind of error.
    public let code: Code
    /// A sentence about this occurrence, without secrets.
    public let detail: String
    /// The expiry date of the certificate, for ``Code/expired``.
    public let notValidAfter: Date?

    /// Creates an error.
    public init(_ code: Code, detail: String, notValidAfter: Date? = nil) {
        self.code = code
        self.detail = detail
        self.notValidAfter = notValidAfter
    }

    public var description: String { "\(detail) [\(code.rawValue)]" }
    public var debugDescription: String { description }
}

extension IdentityError {
    /// The kind of error. The set is open, the texts are bounded, and values can be metric labels.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes end before the end of the archive or certificate.
        public static let truncated = Code(rawValue: "truncated")
        /// The bytes have an invalid format, or were altered in an unprotected part.
        public static let malformed = Code(rawValue: "malformed")
        /// The password is wrong, or the archive was altered; the MAC cannot distinguish these.
        public static let wrongPassword = Code(rawValue: "wrong-password")
        /// There is no private key.
        public static let noPrivateKey = Code(rawValue: "no-private-key")
        /// There are several private keys, and the choice is ambiguous.
        public static let severalPrivateKeys = Code(rawValue: "several-private-keys")
        /// There is no certificate for the private key, or none at all.
        public static let noCertificate = Code(rawValue: "no-certificate")
        /// The certificate expired at ``IdentityError/notValidAfter``.
        public static let expired = Code(rawValue: "expired")
        /// The algorithm or the kind of key is not supported.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The input exceeds a size limit or would take too much time.
        public static let tooLarge = Code(rawValue: "too-large")
        /// The subject is not a distinguished name (RFC 4514).
        public static let malformedSubject = Code(rawValue: "malformed-subject")
        /// An alternative name is invalid.
        public static let malformedAlternativeName = Code(rawValue: "malformed-alternative-name")
        /// The file does not exist or cannot be read.
        public static let unreadableFile = Code(rawValue: "unreadable-file")
        /// The key could not be generated or could not sign.
        public static let keyFailed = Code(rawValue: "key-failed")
    }
}

extension IdentityError: LocalizedError {
    public var errorDescription: String? { description }
    public var failureReason: String? { detail }
    /// The remedy, for developers or users.
    public var recoverySuggestion: String? {
        switch code {
        case .truncated, .malformed:
            "Export or download it again: an archive as PKCS #12 in binary form, certificates as PEM, DER or PKCS #7."
        case .wrongPassword: "Ask for the password again; if it is right, export the archive again."
        case .noPrivateKey: "Export the certificate together with its private key."
        case .severalPrivateKeys: "Export one key and its certificates."
        case .noCertificate: "Export the key together with its own certificate, or ask its authority for the certificate again."
        case .expired: "Ask for a new certificate."
        case .unsupported: "Export again with AES and a P-256 or RSA key of at least 2048 bits."
        case .tooLarge: "Export one identity alone, with at most 600 000 iterations."
        case .malformedSubject: "Write the subject as RFC 4514 does: CN=Ada,OU=Sales,O=Example."
        case .malformedAlternativeName: "Give plain ASCII names that are not empty."
        case .unreadableFile: "Check the file's name and its permissions."
        case .keyFailed: "Make a new key."
        default: nil
        }
    }
}
