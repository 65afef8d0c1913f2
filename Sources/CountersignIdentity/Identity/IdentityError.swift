public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why an identity could not be read, made or written.
///
/// It holds no key, no password and no byte of an archive. A subject's text is not repeated either: it names the user.
public struct IdentityError: SecretFreeError, Sendable, Hashable, CustomDebugStringConvertible {
    /// What went wrong.
    public let code: Code
    /// A sentence on this occurrence, without secrets.
    public let detail: String
    /// When the certificate ended, if that is what went wrong.
    public let notValidAfter: Date?

    /// Makes an error.
    public init(_ code: Code, detail: String, notValidAfter: Date? = nil) {
        self.code = code
        self.detail = detail
        self.notValidAfter = notValidAfter
    }

    public var description: String { "\(detail) [\(code.rawValue)]" }
    public var debugDescription: String { description }
}

extension IdentityError {
    /// What went wrong: an open set with a bounded text each, fit for a metric's label.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes end before the archive, or the certificate, does.
        public static let truncated = Code(rawValue: "truncated")
        /// The bytes are not what they should be, or were altered where nothing protects them.
        public static let malformed = Code(rawValue: "malformed")
        /// The password is wrong, or the archive was altered: its authentication code cannot tell one from the other.
        public static let wrongPassword = Code(rawValue: "wrong-password")
        /// There is no private key.
        public static let noPrivateKey = Code(rawValue: "no-private-key")
        /// There is more than one private key, and nothing says which is meant.
        public static let severalPrivateKeys = Code(rawValue: "several-private-keys")
        /// There is no certificate for the private key, or none at all.
        public static let noCertificate = Code(rawValue: "no-certificate")
        /// The certificate is not valid any more; ``IdentityError/notValidAfter`` says since when.
        public static let expired = Code(rawValue: "expired")
        /// The algorithm, or the kind of key, is one that this module does not know.
        public static let unsupported = Code(rawValue: "unsupported")
        /// There is more than is ever needed, or it would cost more time than should be spent on it.
        public static let tooLarge = Code(rawValue: "too-large")
        /// The subject is not a name by RFC 4514.
        public static let malformedSubject = Code(rawValue: "malformed-subject")
        /// An alternative name is not one.
        public static let malformedAlternativeName = Code(rawValue: "malformed-alternative-name")
        /// There is no such file, or it cannot be read.
        public static let unreadableFile = Code(rawValue: "unreadable-file")
        /// The key could not be made, or could not sign.
        public static let keyFailed = Code(rawValue: "key-failed")
    }
}

extension IdentityError: LocalizedError {
    public var errorDescription: String? { description }
    public var failureReason: String? { detail }
    /// What the reader can do about it.
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
