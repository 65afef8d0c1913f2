internal import Countersign
public import Foundation

/// Provides the identity in a PKCS #12 file on the device.
///
/// The file is read once, when the discovery is created, so that a wrong password is reported there and not during a request.
///
/// ```swift
/// let discovery = try PKCS12UserIdentityDiscovery(resourceInBundle: "alice", resourceType: "p12", passphrase: passphrase)
/// session.register(UserIdentityObserver(userIdentityDiscovery: discovery, identityStore: storage))
/// ```
public final class PKCS12UserIdentityDiscovery: UserIdentityObtaining {
    private let archive: SecretBytes

    /// Creates a discovery from an archive.
    ///
    /// - Parameters:
    ///   - data: The archive in binary form.
    ///   - passphrase: The password; empty for none.
    ///   - now: The time at which the certificate must not have expired.
    /// - Throws: ``IdentityError``: see ``PKCS12Archive/init(reading:password:at:)``.
    public init(data: Data, passphrase: String = "", now: Date = .now) throws(IdentityError) {
        // The archive is passed on without a password, as the observer's stores require.
        archive = try PKCS12Archive.write(PKCS12Archive(reading: data, password: passphrase, at: now).identity)
    }

    /// Creates a discovery from an archive in a file.
    ///
    /// - Throws: ``IdentityError``, with ``IdentityError/Code/unreadableFile`` if the file does not exist or cannot be read.
    public convenience init(file: URL, passphrase: String = "", now: Date = .now) throws(IdentityError) {
        guard let data = try? Data(contentsOf: file) else {
            throw IdentityError(.unreadableFile, detail: "The file '\(file.lastPathComponent)' cannot be read.")
        }
        try self.init(data: data, passphrase: passphrase, now: now)
    }

    /// Creates a discovery from an archive in the application's resources.
    ///
    /// - Parameters:
    ///   - resourceInBundle: The file name without its extension.
    ///   - resourceType: The extension, such as `p12`.
    ///   - passphrase: The password; empty for none.
    ///   - bundle: The bundle of the resource.
    /// - Throws: ``IdentityError``, with ``IdentityError/Code/unreadableFile`` if there is no such resource.
    public convenience init(
        resourceInBundle: String, resourceType: String, passphrase: String, bundle: Bundle = .main
    ) throws(IdentityError) {
        guard let file = bundle.url(forResource: resourceInBundle, withExtension: resourceType) else {
            throw IdentityError(.unreadableFile, detail: "There is no resource '\(resourceInBundle).\(resourceType)'.")
        }
        try self.init(file: file, passphrase: passphrase)
    }

    public func obtainUserIdentity(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        completionHandler(Data(archive.bytes), nil)
    }
}
