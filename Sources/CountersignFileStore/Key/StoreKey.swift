public import Countersign
internal import Crypto

/// The 32 bytes that a folder of credentials is encrypted with.
///
/// They have to be random: a password is no key. An application that has only a password derives a key from it with a function made
/// for that, such as `KDF.Scrypt` of swift-crypto's `CryptoExtras`, and keeps the salt.
public struct StoreKey: Sendable {
    let symmetricKey: SymmetricKey

    /// How many bytes a key has.
    public static let byteCount = 32

    /// Takes a key's bytes.
    ///
    /// - Returns: `nil` unless there are 32.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        symmetricKey = SymmetricKey(data: bytes)
    }

    private init() { symmetricKey = SymmetricKey(size: .bits256) }

    /// Makes a new key from the system's random numbers.
    public static func random() -> StoreKey { StoreKey() }

    /// The key's bytes, for the place where it is kept.
    public var bytes: SecretBytes { symmetricKey.withUnsafeBytes { SecretBytes($0) } }
}

extension StoreKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "StoreKey(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
