/// The options of protected resource metadata (RFC 9728): metadata that challenges refer to, and tokens for this resource only (RFC
/// 8707).
public struct MockProtectedResourceOptions: Sendable, Hashable {
    /// The path of the resource. Its metadata are below `/.well-known/oauth-protected-resource`.
    public var path = "/mcp"
    /// The path of the metadata; `nil` for that of RFC 9728.
    public var metadataPath: String?
    /// The scopes in the metadata.
    public var scopes = ["read"]
    /// The scope in challenges to requests without a token; `nil` for none.
    public var challengedScope: String?
    /// Whether challenges contain the URL of the metadata.
    public var namesMetadata = true

    /// Creates options with the default values.
    public init() {}
}
