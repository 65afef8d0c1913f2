/// Bytes that nothing prints: a stored token, a password.
///
/// It keeps secrets out of descriptions, dumps and logs by accident. It does not keep them out of the process's memory: Swift copies
/// arrays as it likes, and promises about wiping them could not be kept.
public struct SecretBytes: Sendable {
    /// The secret.
    public let bytes: [UInt8]

    /// Wraps bytes.
    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Wraps the UTF-8 bytes of a text.
    public init(utf8 text: String) { self.init(text.utf8) }
}

extension SecretBytes: Hashable {
    /// Compares all bytes, whichever is the first that differs: the time tells an attacker only whether the lengths differ.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        left.bytes.count == right.bytes.count && zip(left.bytes, right.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "SecretBytes(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
