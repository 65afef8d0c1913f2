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

/// The name of one credential in a ``CredentialStore``: any text at all, such as a token endpoint and a client's identifier.
///
/// Two names are the same if their UTF-8 bytes are; letters that only look alike, or that Unicode counts as equivalent, are different
/// names, because a store that derives something from the bytes could not see them as one.
///
/// A name often tells who uses what, so no store writes it into a description, an error or a file's name.
public struct CredentialKey: Sendable, ExpressibleByStringLiteral {
    /// The name itself.
    public let name: String

    /// Makes a key.
    public init(_ name: String) { self.name = name }

    public init(stringLiteral name: String) { self.init(name) }
}

extension CredentialKey: Hashable {
    public static func == (left: CredentialKey, right: CredentialKey) -> Bool { left.name.utf8.elementsEqual(right.name.utf8) }

    public func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte) }
        hasher.combine(name.utf8.count)
    }
}

extension CredentialKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "CredentialKey(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
