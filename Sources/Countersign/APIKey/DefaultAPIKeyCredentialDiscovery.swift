/// Gives the keys of a configuration.
public final class DefaultAPIKeyCredentialDiscovery: APIKeyCredentialDiscovery {
    private let config: APIKeyAuthenticationConfig?

    /// Makes a discovery without keys: requests that need one fail.
    public init() { config = nil }

    /// Makes a discovery with the keys of a configuration.
    public init(using config: APIKeyAuthenticationConfig) { self.config = config }

    /// The same for a configuration that may be missing, as code samples of the field have it; without one it has no keys.
    public init(using config: APIKeyAuthenticationConfig?) { self.config = config }

    /// The keys of the configuration; none if it allows requests without one; `nil` if it has none and does not.
    public func provideAPIKeyCredential(for appplicationId: String?, user: String?) -> APIKeyCredential? {
        guard let config, !config.apikeys.isEmpty || config.allowAnonymousAccessFlag else { return nil }
        return APIKeyCredential(apikeys: config.apikeys)
    }
}
