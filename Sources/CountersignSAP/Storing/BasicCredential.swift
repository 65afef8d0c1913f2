public import Countersign

/// A user's name and password for Basic authentication (RFC 7617).
///
/// The password is a secret, and the name is nobody else's business: no description, reflection or dump shows either. Encoding does,
/// since a store needs them: whoever encodes a credential owns the result.
///
/// ```swift
/// let credential = BasicCredential(username: "Aladdin", password: "open sesame")
/// print(credential)  // BasicCredential(username: <redacted>, password: <redacted>)
/// ```
public struct BasicCredential: Sendable, Hashable, Codable {
    /// The user's name; RFC 7617 allows no colon in it, for the first one ends it.
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
    /// The names of the two parts.
    public var visibleParts: KeyValuePairs<String, String> { ["username": "<redacted>", "password": "<redacted>"] }
}
