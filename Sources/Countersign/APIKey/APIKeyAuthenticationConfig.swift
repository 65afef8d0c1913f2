/// What an application configures of API keys.
public struct APIKeyAuthenticationConfig: Sendable, Hashable {
    /// The keys, in the order in which they are tried.
    public let apikeys: [String]
    /// Whether keys are the only way to authenticate: then a server that refuses one ends the request with an error.
    public let isAPIKeyAccessOnly: Bool
    /// Whether requests are sent without a key where there is none.
    public let allowAnonymousAccessFlag: Bool

    /// Makes a configuration.
    public init(apikeys: [String], isAPIKeyAccessOnly: Bool = false, allowAnonymousAccessFlag: Bool = false) {
        self.apikeys = apikeys
        self.isAPIKeyAccessOnly = isAPIKeyAccessOnly
        self.allowAnonymousAccessFlag = allowAnonymousAccessFlag
    }
}

extension APIKeyAuthenticationConfig: ReducedDescription {
    /// How many keys there are, and the flags.
    public var visibleParts: KeyValuePairs<String, String> {
        [
            "keys": "\(apikeys.count)", "isAPIKeyAccessOnly": "\(isAPIKeyAccessOnly)",
            "allowAnonymousAccessFlag": "\(allowAnonymousAccessFlag)",
        ]
    }
}
