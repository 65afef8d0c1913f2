internal import CountersignSAP
internal import Foundation

extension SAPcpmsUserIdentityConfigurationParameters {
    /// Reads the part of a configuration that is about the Certificate Discovery service.
    ///
    /// - Parameter configuration: The dictionary, with keys that begin with `com.sap.mobilesecure.certificateService`.
    /// - Returns: `nil` if a key is missing or is no URL; ``init(configuration:)`` says which.
    public init?(certificateDiscoveryConfiguration configuration: [String: Any]) {
        try? self.init(discoveryServiceConfig: configuration)
    }
}

extension OAuth2AuthenticationParameters {
    private static let authenticationKey = "com.sap.mobilesecure.certificateService.authType"

    /// Reads how the Certificate Discovery service wants its clients to authenticate: under `authType`, the keys
    /// `authorizationEndpoint`, `tokenEndpoint`, `client_id`, `redirect_uri` and `scope`, which alone can be absent.
    ///
    /// - Throws: `ConfigurationError`.
    init(certificateDiscoveryConfiguration configuration: [String: Any]) throws {
        let source = "the certificate discovery configuration"
        guard let given = configuration[Self.authenticationKey] else {
            throw ConfigurationError.missingKey(Self.authenticationKey, source: source)
        }
        guard let entries = given as? [String: Any] else {
            throw ConfigurationError.invalidStructure(detail: "'\(Self.authenticationKey)' is not a dictionary", source: source)
        }
        if let type = entries["type"] as? String, type != "oauth" {
            throw ConfigurationError.invalidStructure(
                detail: "'\(Self.authenticationKey).type' is not 'oauth', the one type that is known", source: source)
        }
        // The names of this configuration are not those of the others.
        let names = [
            "authorizationEndpoint": "oauth2.authorizationEndpoint", "tokenEndpoint": "oauth2.tokenEndpoint",
            "client_id": "oauth2.clientID", "redirect_uri": "oauth2.redirectURL",
        ]
        var values: [String: String] = [:]
        for (name, key) in names {
            guard let value = entries[name] as? String, !value.isEmpty else {
                throw ConfigurationError.missingKey("\(Self.authenticationKey).\(name)", source: source)
            }
            values[key] = value
        }
        try self.init(configuration: ConfigurationValues(values, source: source))
        if let scope = entries["scope"] as? String { requestingScopes = Set(scope.split(separator: " ").map(String.init)) }
    }
}
