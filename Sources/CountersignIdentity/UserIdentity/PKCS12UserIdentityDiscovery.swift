internal import Countersign
public import Foundation

/// Takes the identity from a PKCS #12 file on the device.
///
/// The file is read once, when the discovery is made, so that a wrong password is an error there and not in the middle of a request.
///
/// ```swift
/// let discovery = try PKCS12UserIdentityDiscovery(resourceInBundle: "alice", resourceType: "p12", passphrase: passphrase)
/// session.register(UserIdentityObserver(userIdentityDiscovery: discovery, identityStore: storage))
/// ```
public final class PKCS12UserIdentityDiscovery: UserIdentityObtaining {
    private let archive: SecretBytes

    /// Reads an archive.
    ///
    /// - Parameters:
    ///   - data: The archive in binary form.
    ///   - passphrase: Empty for none.
    ///   - now: The moment at which the certificate has to be valid still.
    /// - Throws: ``IdentityError``: see ``PKCS12Archive/init(reading:password:at:)``.
    public init(data: Data, passphrase: String = "", now: Date = .now) throws(IdentityError) {
        // It is handed on without a password, as the observer's stores keep it.
        archive = try PKCS12Archive.write(PKCS12Archive(reading: data, password: passphrase, at: now).identity)
    }

    /// Reads an archive in a file.
    ///
    /// - Throws: ``IdentityError``, with ``IdentityError/Code/unreadableFile`` if there is no such file or it cannot be read.
    public convenience init(file: URL, passphrase: String = "", now: Date = .now) throws(IdentityError) {
        guard let data = try? Data(contentsOf: file) else {
            throw IdentityError(.unreadableFile, detail: "The file '\(file.lastPathComponent)' cannot be read.")
        }
        try self.init(data: data, passphrase: passphrase, now: now)
    }

    /// Reads an archive among the application's resources.
    ///
    /// - Parameters:
    ///   - resourceInBundle: The file's name without its extension.
    ///   - resourceType: The extension, such as `p12`.
    ///   - passphrase: Empty for none.
    ///   - bundle: Where the resource is.
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
