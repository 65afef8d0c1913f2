/// What makes the resources of a mock authorization server those of RFC 9728: metadata, to which challenges point, and tokens that are for
/// this resource alone (RFC 8707).
public struct MockProtectedResourceOptions: Sendable, Hashable {
    /// The path of the resource, whose metadata are behind `/.well-known/oauth-protected-resource`.
    public var path = "/mcp"
    /// Where the metadata are; `nil` for where RFC 9728 has them.
    public var metadataPath: String?
    /// The scopes that the metadata name.
    public var scopes = ["read"]
    /// The scope that challenges to requests without a token name; `nil` for none.
    public var challengedScope: String?
    /// Whether challenges say where the metadata are.
    public var namesMetadata = true

    /// The defaults.
    public init() {}
}
