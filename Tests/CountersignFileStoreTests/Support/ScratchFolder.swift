import Countersign
import Foundation

@testable import CountersignFileStore

/// A folder for one test's store, deleted with the object.
final class ScratchFolder: Sendable {
    let root: URL
    /// The store's folder, which this type does not make.
    let store: URL
    let keyBytes: [UInt8]
    let key: StoreKey

    init(keyByte: UInt8 = 1) throws {
        root = FileManager.default.temporaryDirectory.appending(path: "countersign-store-\(UUID().uuidString)")
        store = root.appending(path: "credentials", directoryHint: .isDirectory)
        keyBytes = [UInt8](repeating: keyByte, count: StoreKey.byteCount)
        guard let key = StoreKey(bytes: keyBytes) else { throw CocoaError(.coderInvalidValue) }
        self.key = key
        try FileManager.default.createDirectory(
            at: root.appending(path: "server"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// Makes a store in the folder.
    func open(
        _ source: (any StoreKeySource)? = nil, clock: any Clock<Duration> = ContinuousClock(),
        commitTimeout: Duration = .seconds(10),
        beforeStep: @escaping @Sendable (StoreFolder.Step) throws(CredentialStoreError) -> Void = { _ in }
    ) -> EncryptedFileStore {
        EncryptedFileStore(
            folder: store, key: source ?? key, clock: clock, commitTimeout: commitTimeout, beforeStep: beforeStep)
    }

    /// The path of a file in the store's folder.
    func path(_ name: String) -> String { store.appending(path: name).path(percentEncoded: false) }

    /// The path of a credential's file.
    func path(of key: CredentialKey) -> String { path(FileName.entry(DerivedKeys(self.key).fileName(for: key))) }

    /// The names in the store's folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: store.path(percentEncoded: false)).sorted() }
    }

    /// The bytes of a file.
    func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

    /// Writes a file as it is.
    func put(_ bytes: [UInt8], at path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }

    /// The permissions of a file or folder.
    func permissions(_ path: String) throws -> Int {
        try (FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }
}
