#if canImport(Security)
public import Countersign
internal import Foundation
internal import Security

/// Stores a key in the Keychain, on this device only, readable after the first unlock.
///
/// A renewal in the background can therefore read it while the device is locked. It cannot be restored from a backup to another
/// device.
///
/// ```swift
/// let key = KeychainKeySource(service: "com.example.client", account: "credentials")
/// let store = EncryptedFileStore(folder: folder, key: key)
/// ```
///
/// A command line tool on macOS uses the Keychain ``Keychain/login``.
public struct KeychainKeySource: StoreKeySource {
    /// One of the two Keychains of macOS. On other systems there is only one, and both are the same.
    public enum Keychain: Sendable, Hashable {
        /// The data protection Keychain, which is the one of iOS. On macOS, it is only for applications that are signed with a
        /// provisioning profile; others receive the error `errSecMissingEntitlement`, -34018.
        case dataProtection
        /// The login Keychain of the macOS user, for command line tools and other programs without entitlements.
        ///
        /// It has no access groups. The system asks the user before another program reads the key, and again after an update of a
        /// program that is not signed with a certificate.
        case login
    }

    /// The service name of the Keychain item: the program.
    public let service: String
    /// The account name of the Keychain item: one for each folder.
    public let account: String
    /// The access group of programs that share the key; `nil` for the program alone.
    public let accessGroup: String?
    /// The Keychain of the item.
    public let keychain: Keychain

    private static let queue = BlockingQueue("countersign.keychain", isSerial: true)

    /// Creates a key source.
    ///
    /// - Parameters:
    ///   - service: The service name of the Keychain item: the program.
    ///   - account: The account name of the Keychain item: one for each folder.
    ///   - accessGroup: The access group of programs that share the key; `nil` for the program alone. Not used with the Keychain
    ///     ``Keychain/login``.
    ///   - keychain: The Keychain of the item.
    public init(service: String, account: String, accessGroup: String? = nil, keychain: Keychain = .dataProtection) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.keychain = keychain
    }

    public func existingKey() async throws(CredentialStoreError) -> StoreKey? {
        try await Self.queue.run { () throws(CredentialStoreError) in try find() }
    }

    public func makeKey() async throws(CredentialStoreError) -> StoreKey {
        try await Self.queue.run { () throws(CredentialStoreError) in
            let key = StoreKey.random()
            var item = attributes
            item[kSecValueData as String] = Data(key.bytes.bytes)
            if keychain == .dataProtection {
                item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            }
            let status = SecItemAdd(item as CFDictionary, nil)
            // Another caller, possibly with another folder, has created the key, which is then used.
            if status == errSecDuplicateItem, let key = try find() { return key }
            guard status == errSecSuccess else { throw Self.unavailable("the Keychain did not store the key", status) }
            return key
        }
    }

    private func find() throws(CredentialStoreError) -> StoreKey? {
        var query = attributes
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess else { throw Self.unavailable("the Keychain did not return the key", status) }
        guard let bytes = found as? Data, let key = StoreKey(bytes: bytes) else {
            throw Self.unavailable("the Keychain item is not a key", status)
        }
        return key
    }

    private var attributes: [String: Any] {
        var attributes: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service, kSecAttrAccount as String: account,
            // The other Keychain of macOS supports neither access groups nor accessibility.
            kSecUseDataProtectionKeychain as String: keychain == .dataProtection,
        ]
        if let accessGroup, keychain == .dataProtection { attributes[kSecAttrAccessGroup as String] = accessGroup }
        return attributes
    }

    private static func unavailable(_ detail: String, _ status: OSStatus) -> CredentialStoreError {
        let reason =
            switch status {
            case errSecInteractionNotAllowed: ": it is locked, as before the first unlock after a start of the device"
            case errSecMissingEntitlement: ": the program lacks an entitlement; command line tools use the Keychain 'login'"
            default: ""
            }
        return CredentialStoreError(.keyUnavailable, detail: detail + reason, systemError: status)
    }
}
#endif
