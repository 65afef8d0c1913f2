/// Secret bytes, such as a token or a password, that are never printed.
///
/// This keeps secrets out of descriptions, dumps and logs. It does not erase them from memory, since Swift copies arrays freely.
public struct SecretBytes: Sendable {
    /// The secret.
    public let bytes: [UInt8]

    /// Creates secret bytes.
    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Creates secret bytes of a text in UTF-8.
    public init(utf8 text: String) { self.init(text.utf8) }
}

extension SecretBytes: Hashable {
    /// Compares in constant time. The duration reveals only whether the lengths differ.
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
