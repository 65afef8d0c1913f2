public import Countersign
internal import Crypto

/// The encryption key of a store (32 bytes).
///
/// The bytes must be random; a password is not a key. To use a password, derive a key with a key derivation function, such as
/// `KDF.Scrypt` of swift-crypto's `CryptoExtras`, and store the salt.
public struct StoreKey: Sendable {
    let symmetricKey: SymmetricKey

    /// The number of bytes of a key: 32.
    public static let byteCount = 32

    /// Creates a key from bytes.
    ///
    /// - Returns: `nil` unless there are 32 bytes.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        symmetricKey = SymmetricKey(data: bytes)
    }

    private init() { symmetricKey = SymmetricKey(size: .bits256) }

    /// Returns a new random key.
    public static func random() -> StoreKey { StoreKey() }

    /// The bytes of the key, for the place where it is stored.
    public var bytes: SecretBytes { symmetricKey.withUnsafeBytes { SecretBytes($0) } }
}

extension StoreKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "StoreKey(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
