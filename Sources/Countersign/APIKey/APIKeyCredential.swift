/// The API keys of an application, in the order in which they are tried.
///
/// A key that the server refuses is followed by the next; without a next one the method's error says so. No description shows a key;
/// encoding does, since a store needs them.
public struct APIKeyCredential: Sendable, Hashable, Codable {
    private let apikeys: [String]

    /// Makes a credential.
    ///
    /// - Parameter apikeys: The keys; none sends requests without one.
    public init(apikeys: [String]) { self.apikeys = apikeys }

    /// The keys.
    public func keys() -> [String] { apikeys }
}

extension APIKeyCredential: ReducedDescription {
    /// How many keys there are.
    public var visibleParts: KeyValuePairs<String, String> { ["keys": "\(apikeys.count)"] }
}

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
