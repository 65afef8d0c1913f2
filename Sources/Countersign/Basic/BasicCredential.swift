/// A user name and password (RFC 7617).
///
/// The password is a secret: no description, reflection or dump of this type shows it, nor the name. Encoding does, since a store needs
/// both: code that encodes a credential is responsible for the result.
public struct BasicCredential: Sendable, Hashable, Codable {
    /// The user name; without a colon, at which servers part name and password.
    public let username: String
    /// The password.
    public let password: String

    /// Makes a credential.
    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}

extension BasicCredential: ReducedDescription {
    /// That there is a credential.
    public var visibleParts: KeyValuePairs<String, String> { ["credential": redacted] }
}
