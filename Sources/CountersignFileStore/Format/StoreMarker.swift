package import Countersign
internal import Crypto

/// The file that marks a folder as a store, with the store's identifier and a check value of its key.
///
/// Layout: ``FileHeader``, identifier (16 bytes), check value (32 bytes), SHA-256 of everything before (32 bytes).
package struct StoreMarker: Sendable, Equatable {
    let identifier: [UInt8]
    let check: [UInt8]

    private static let identifierByteCount = 16
    private static let checkByteCount = 32

    /// Creates a marker for a new store.
    package init(for keys: DerivedKeys) {
        identifier = (0..<Self.identifierByteCount).map { _ in UInt8.random(in: .min ... .max) }
        check = keys.check
    }

    /// Parses a marker.
    ///
    /// - Throws: Errors with the codes `storeDamaged` and `unsupportedFormat`.
    package init(bytes: [UInt8], path: String) throws(CredentialStoreError) {
        let rest: ArraySlice<UInt8>
        do throws(CredentialStoreError) {
            rest = try FileHeader.rest(of: bytes, .marker, path: path)
        } catch {
            throw error.code == .unsupportedFormat ? error : Self.damaged(path)
        }
        let content = rest.prefix(Self.identifierByteCount + Self.checkByteCount)
        let digest = SHA256.hash(data: bytes.prefix(FileHeader.byteCount + content.count))
        guard content.count == Self.identifierByteCount + Self.checkByteCount, rest.dropFirst(content.count).elementsEqual(digest)
        else {
            throw Self.damaged(path)
        }
        identifier = Array(content.prefix(Self.identifierByteCount))
        check = Array(content.dropFirst(Self.identifierByteCount))
    }

    package var bytes: [UInt8] {
        let content = FileHeader.bytes(.marker) + identifier + check
        return content + SHA256.hash(data: content)
    }

    /// Returns the error for a marker that is missing.
    package static func missing(_ path: String) -> CredentialStoreError {
        CredentialStoreError(.storeDamaged, detail: "the marker of the store is missing", path: path)
    }

    /// Returns the error for a marker that is truncated, altered, or not a marker.
    ///
    /// The codes of a damaged credential would cause an intact credential to be discarded.
    package static func damaged(_ path: String) -> CredentialStoreError {
        CredentialStoreError(.storeDamaged, detail: "the marker of the store is damaged", path: path)
    }

    /// Verifies that the key is the store's.
    package func verify(_ keys: DerivedKeys, path: String) throws(CredentialStoreError) {
        guard check == keys.check else {
            throw CredentialStoreError(.wrongKey, detail: "the store was created with another key", path: path)
        }
    }
}
