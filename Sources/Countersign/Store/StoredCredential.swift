/// A stored credential: the secret, and the version that a write has to name to replace it.
public struct StoredCredential: Sendable, Equatable {
    /// The secret.
    public let secret: SecretBytes
    /// The version.
    public let version: CredentialVersion

    /// Creates a stored credential, for custom stores.
    public init(secret: SecretBytes, version: CredentialVersion) {
        self.secret = secret
        self.version = version
    }
}

/// The version of a stored credential. Two versions are equal only if nothing was written in between.
///
/// A version is never reused, even after the credential was deleted. Versions have no order and reveal nothing of the secret; they
/// may be logged.
public struct CredentialVersion: RawRepresentable, Sendable, Hashable {
    /// The version in the store's own format.
    public let rawValue: String

    /// Creates a version, for custom stores.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of a credential in a ``CredentialStore``: any text, such as a token endpoint and a client identifier.
///
/// Names are compared by their UTF-8 bytes, not by Unicode equivalence, because stores derive values from the bytes.
///
/// Names can identify users, so stores never write them into descriptions, errors or file names.
public struct CredentialKey: Sendable, ExpressibleByStringLiteral {
    /// The text of the name.
    public let name: String

    /// Creates a key.
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
