package import Countersign
internal import Crypto
internal import Foundation

/// The keys that are derived from a store's key, one for each purpose.
package struct DerivedKeys: Sendable {
    /// The key that encrypts entries.
    let entries: SymmetricKey
    /// The check value by which the key of a store is recognized. Every user who can read the folder can read it.
    let check: [UInt8]
    private let names: SymmetricKey

    package init(_ key: StoreKey) {
        func derive(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key.symmetricKey, info: Data("countersign file store 1: \(purpose)".utf8), outputByteCount: 32)
        }
        entries = derive("entries")
        names = derive("names")
        check = derive("check").withUnsafeBytes { Array($0) }
    }

    /// Returns the file name of a credential: 64 hexadecimal digits that reveal nothing without the key.
    package func fileName(for key: CredentialKey) -> String {
        Hexadecimal.text(HMAC<SHA256>.authenticationCode(for: Data(key.name.utf8), using: names))
    }
}
