/// How a user has to have authenticated for a resource (RFC 9470).
public struct MockAuthenticationRequirement: Sendable, Hashable {
    /// The authentication context class that the user was asked for; `nil` for any.
    public var acr: String?
    /// How long ago that may be; `nil` for ever.
    public var maxAge: Duration?

    /// Makes a requirement.
    public init(acr: String? = nil, maxAge: Duration? = nil) {
        self.acr = acr
        self.maxAge = maxAge
    }
}
