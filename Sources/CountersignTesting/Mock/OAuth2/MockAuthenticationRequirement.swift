/// The required user authentication of a resource (RFC 9470).
public struct MockAuthenticationRequirement: Sendable, Hashable {
    /// The required authentication context class; `nil` for any.
    public var acr: String?
    /// The maximum age of the authentication; `nil` for no limit.
    public var maxAge: Duration?

    /// Creates a requirement.
    public init(acr: String? = nil, maxAge: Duration? = nil) {
        self.acr = acr
        self.maxAge = maxAge
    }
}
