/// Which writing of a credential this is: two versions are equal only if nothing was written in between.
///
/// A version is never used again, not even after the credential was deleted and stored anew. It says nothing about which of two came
/// first, and nothing about the secret; it may be logged.
public struct CredentialVersion: RawRepresentable, Sendable, Hashable {
    /// The version as its store writes it.
    public let rawValue: String

    /// Makes a version, in a store of one's own.
    public init(rawValue: String) { self.rawValue = rawValue }
}
