package import Countersign
internal import Crypto
internal import Foundation

/// Encrypts and decrypts the entries of a store.
///
/// Layout: ``FileHeader``, a random version (16 bytes), then AES-256-GCM: nonce (12 bytes), encrypted secret, tag (16 bytes). The
/// header, the version, the store's identifier and the credential's name are authenticated, so files cannot be swapped within a
/// store or between stores. A rollback to an older file of the same name is not detected.
package struct EntryCipher: Sendable {
    let keys: DerivedKeys
    let marker: StoreMarker

    private let place: [UInt8]

    /// Creates a cipher.
    ///
    /// - Parameter place: The location of the store, if entries must not be valid elsewhere; without a zero byte.
    package init(keys: DerivedKeys, marker: StoreMarker, place: String = "") {
        self.keys = keys
        self.marker = marker
        self.place = place.isEmpty ? [] : Array(place.utf8) + [0]
    }

    /// The maximum size of a secret in bytes.
    static let maximumSecretSize = 1 << 20
    /// The maximum size of a file in bytes.
    static let maximumFileSize = maximumSecretSize + overhead

    private static let versionByteCount = 16
    private static let overhead = FileHeader.byteCount + versionByteCount + 12 + 16

    /// Encrypts a secret as a new version.
    package func seal(_ secret: SecretBytes, for key: CredentialKey, path: String) throws(CredentialStoreError) -> (
        file: [UInt8], version: CredentialVersion
    ) {
        guard secret.bytes.count <= Self.maximumSecretSize else {
            throw CredentialStoreError(.tooLarge, detail: "the secret has more than \(Self.maximumSecretSize) bytes", path: path)
        }
        let version = (0..<Self.versionByteCount).map { _ in UInt8.random(in: .min ... .max) }
        let head = FileHeader.bytes(.entry) + version
        do {
            let box = try AES.GCM.seal(secret.bytes, using: keys.entries, authenticating: authenticated(head, key))
            return (head + box.nonce + box.ciphertext + box.tag, CredentialVersion(rawValue: Hexadecimal.text(version)))
        } catch {
            // With a 32-byte key and a new nonce, the library has no reason to fail. Its errors contain no data.
            throw CredentialStoreError(.inputOutput, detail: "the secret could not be encrypted", path: path)
        }
    }

    /// Decrypts an entry.
    ///
    /// - Throws: Errors with the codes `corrupt`, `foreign` and `unsupportedFormat`.
    package func open(_ file: [UInt8], for key: CredentialKey, path: String) throws(CredentialStoreError) -> StoredCredential {
        let rest = try FileHeader.rest(of: file, .entry, path: path)
        let version = rest.prefix(Self.versionByteCount)
        let head = Array(file.prefix(FileHeader.byteCount + Self.versionByteCount))
        do {
            let box = try AES.GCM.SealedBox(combined: rest.dropFirst(Self.versionByteCount))
            let secret = try AES.GCM.open(box, using: keys.entries, authenticating: authenticated(head, key))
            return StoredCredential(secret: SecretBytes(secret), version: CredentialVersion(rawValue: Hexadecimal.text(version)))
        } catch {
            throw CredentialStoreError(
                .corrupt, detail: "the file is damaged, or belongs to another credential or store", path: path)
        }
    }

    private func authenticated(_ head: [UInt8], _ key: CredentialKey) -> Data {
        // All parts before the name have a fixed length or a terminator, so the encoding is unambiguous.
        Data(head + marker.identifier + place + key.name.utf8)
    }
}
