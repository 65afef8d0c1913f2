/// A credential as a store holds it: the secret, and the version that a write has to name to replace it.
public struct StoredCredential: Sendable, Equatable {
    /// The secret.
    public let secret: SecretBytes
    /// Which writing this is.
    public let version: CredentialVersion

    /// Makes a stored credential, in a store of one's own.
    public init(secret: SecretBytes, version: CredentialVersion) {
        self.secret = secret
        self.version = version
    }
}
