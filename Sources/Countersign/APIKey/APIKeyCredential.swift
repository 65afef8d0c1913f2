/// The API keys of an application, in the order in which they are tried.
///
/// After a key is refused, the next one is sent; when none is left, the request fails with the method's error. Descriptions never
/// show a key. Encoding includes the keys, since a store needs them.
public struct APIKeyCredential: Sendable, Hashable, Codable {
    private let apikeys: [String]

    /// Creates a credential.
    ///
    /// - Parameter apikeys: The keys. An empty list sends requests without a key.
    public init(apikeys: [String]) { self.apikeys = apikeys }

    /// The keys.
    public func keys() -> [String] { apikeys }
}

extension APIKeyCredential: ReducedDescription {
    /// The number of keys.
    public var visibleParts: KeyValuePairs<String, String> { ["keys": "\(apikeys.count)"] }
}

/// The API key settings of an application.
public struct APIKeyAuthenticationConfig: Sendable, Hashable {
    /// The keys, in the order in which they are tried.
    public let apikeys: [String]
    /// Whether API keys are the only authentication method. If `true`, a request whose key is refused fails with an error.
    public let isAPIKeyAccessOnly: Bool
    /// Whether requests are sent without a key when no key is available.
    public let allowAnonymousAccessFlag: Bool

    /// Creates a configuration.
    public init(apikeys: [String], isAPIKeyAccessOnly: Bool = false, allowAnonymousAccessFlag: Bool = false) {
        self.apikeys = apikeys
        self.isAPIKeyAccessOnly = isAPIKeyAccessOnly
        self.allowAnonymousAccessFlag = allowAnonymousAccessFlag
    }
}

extension APIKeyAuthenticationConfig: ReducedDescription {
    /// The number of keys, and the flags.
    public var visibleParts: KeyValuePairs<String, String> {
        [
            "keys": "\(apikeys.count)", "isAPIKeyAccessOnly": "\(isAPIKeyAccessOnly)",
            "allowAnonymousAccessFlag": "\(allowAnonymousAccessFlag)",
        ]
    }
}
