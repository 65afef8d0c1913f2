internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A hash function (FIPS 180-4), or with a key its message authentication code (HMAC, RFC 2104).
public struct DigestFunction: Sendable, Hashable {
    /// The hash function.
    public enum Algorithm: String, Sendable, Hashable, CaseIterable {
        case sha256 = "sha-256"
        case sha384 = "sha-384"
        case sha512 = "sha-512"
    }

    /// The text encoding of bytes.
    public enum Encoding: String, Sendable, Hashable, CaseIterable {
        /// Lowercase hexadecimal digits.
        case hex
        /// With padding (RFC 4648, section 4).
        case base64
        /// Without padding (RFC 4648, section 5).
        case base64url
    }

    /// The encoding of a key or of a message.
    public enum KeyEncoding: String, Sendable, Hashable, CaseIterable {
        /// The UTF-8 bytes of the text.
        case text
        case hex
        case base64
    }

    public let algorithm: Algorithm
    /// The message.
    public let message: ProgramTemplate
    public let messageEncoding: KeyEncoding
    /// The key; `nil` for a plain hash.
    public let key: ProgramTemplate?
    public let keyEncoding: KeyEncoding
    public let encoding: Encoding

    /// Creates the function.
    public init(
        _ algorithm: Algorithm, of message: ProgramTemplate, messageEncoding: KeyEncoding = .text, key: ProgramTemplate? = nil,
        keyEncoding: KeyEncoding = .text, as encoding: Encoding = .hex
    ) {
        self.algorithm = algorithm
        self.message = message
        self.messageEncoding = messageEncoding
        self.key = key
        self.keyEncoding = keyEncoding
        self.encoding = encoding
    }
}

extension DigestFunction {
    /// The templates of the function.
    var templates: [ProgramTemplate] { [message] + [key].compactMap(\.self) }

    /// Returns the encoded digest.
    ///
    /// - Parameter values: The values by slot.
    /// - Returns: `nil` if a value is absent.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for a key or a message that is invalid in its encoding.
    func text(_ values: [ProgramValue], in message: SignedMessage? = nil) throws(CountersignError) -> String? {
        guard var bytes = self.message.bytes(values, in: message) else { return nil }
        if messageEncoding != .text {
            guard let decoded = messageEncoding.bytes(String(decoding: bytes, as: UTF8.self)) else {
                throw CountersignError(.invalidRequest, detail: "a text to hash is not encoded in \(messageEncoding.rawValue)")
            }
            bytes = decoded
        }
        var secret: [UInt8]?
        if let key {
            guard let text = key.text(values) else { return nil }
            guard let bytes = keyEncoding.bytes(text) else {
                throw CountersignError(.invalidRequest, detail: "a key is not encoded in \(keyEncoding.rawValue)")
            }
            secret = bytes
        }
        return encoding.text(algorithm.digest(of: bytes, key: secret))
    }
}

extension DigestFunction.Algorithm {
    fileprivate func digest(of bytes: [UInt8], key: [UInt8]?) -> [UInt8] {
        switch self {
        case .sha256: digest(SHA256.self, bytes, key)
        case .sha384: digest(SHA384.self, bytes, key)
        case .sha512: digest(SHA512.self, bytes, key)
        }
    }

    private func digest<Function: HashFunction>(_ function: Function.Type, _ bytes: [UInt8], _ key: [UInt8]?) -> [UInt8] {
        guard let key else { return Array(Function.hash(data: bytes)) }
        return Array(HMAC<Function>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
    }
}

extension DigestFunction.Encoding {
    /// Returns bytes as text.
    package func text(_ bytes: [UInt8]) -> String {
        switch self {
        case .hex: Hexadecimal.text(bytes)
        case .base64: Data(bytes).base64EncodedString()
        case .base64url: Base64URL.text(bytes)
        }
    }
}

extension DigestFunction.KeyEncoding {
    /// Returns the bytes of a text; `nil` if the text is invalid in this encoding.
    func bytes(_ text: String) -> [UInt8]? {
        switch self {
        case .text: Array(text.utf8)
        case .hex: Hexadecimal.bytes(text)
        case .base64: Data(base64Encoded: text).map(Array.init)
        }
    }
}
