internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The SHA-256 hash of a certificate's public key, by which a client recognises a server or certification authority (RFC 7469,
/// section 2.4).
///
/// The hash includes the algorithm (the field `SubjectPublicKeyInfo`), so a renewed certificate with the same key has the same pin.
/// `CountersignIdentity` computes the pins of certificates.
public struct PublicKeyPin: Sendable, Hashable {
    /// The hash (32 bytes).
    public let sha256: [UInt8]

    /// Parses a pin: Base64, optionally with the prefix `sha256/`, `sha256:` or `pin-sha256=`, the last with or without quotation
    /// marks (RFC 7469, section 2.1.1); or 64 hexadecimal digits.
    ///
    /// - Returns: `nil` if the text does not encode 32 bytes.
    public init?(_ text: String) {
        guard let bytes = Self.hexadecimal(text) ?? Self.base64(text), bytes.count == SHA256.byteCount else { return nil }
        sha256 = bytes
    }

    /// Computes the pin of a key.
    ///
    /// - Parameter key: The field `SubjectPublicKeyInfo` in DER (RFC 5280, section 4.1).
    public init(subjectPublicKeyInfo key: some Sequence<UInt8>) {
        sha256 = Array(SHA256.hash(data: Array(key)))
    }

    private static func base64(_ text: String) -> [UInt8]? {
        var base64 = Substring(text)
        let name = "pin-sha256="
        if base64.lowercased().hasPrefix(name) {
            base64 = base64.dropFirst(name.count)
            if base64.count > 1, base64.first == "\"", base64.last == "\"" { base64 = base64.dropFirst().dropLast() }
        } else {
            for prefix in ["sha256/", "sha256:"] where base64.lowercased().hasPrefix(prefix) {
                base64 = base64.dropFirst(prefix.count)
            }
        }
        return Data(base64Encoded: String(base64)).map(Array.init)
    }

    /// Parses 64 hexadecimal digits, which are never a pin in Base64, since that has 44 characters.
    private static func hexadecimal(_ text: String) -> [UInt8]? { text.utf8.count == 64 ? Hexadecimal.bytes(text) : nil }
}

extension PublicKeyPin: CustomStringConvertible {
    /// The pin as `sha256/` and Base64.
    public var description: String { "sha256/" + Data(sha256).base64EncodedString() }
}
