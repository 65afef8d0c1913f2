public import Countersign
public import Foundation

/// A configuration of SAP Mobile Services: the server, its authentication methods, and their parameters.
///
/// Its sources are a `ConfigurationProvider.plist`, the JSON that the cockpit exports, a QR code or a `config=` link:
///
/// ```json
/// { "auth": [{ "type": "oauth2", "config": {
///     "oauth2.authorizationEndpoint": "https://app.example/oauth2/api/v1/authorize",
///     "oauth2.tokenEndpoint": "https://app.example/oauth2/api/v1/token",
///     "oauth2.clients": [{ "clientID": "…", "grantType": "authorization_code", "redirectURL": "https://app.example" }] } }],
///   "host": "app.example", "protocol": "https" }
/// ```
///
/// ``values(grantType:passcode:)`` returns the values for generated parameters:
///
/// ```swift
/// let parameters = try OAuth2AuthenticationParameters(configuration: configuration.values())
/// ```
///
/// A passcode of the cross-context single sign-on is not part of this value, its description or its encoding. The loader returns it
/// once, as an ``OnboardingPasscode``.
public struct DiscoveryConfiguration: Sendable {
    /// The name of the source in errors, such as a file name.
    public let source: String
    /// The tree, without passcodes.
    let root: ConfigurationNode
    /// The passcode of the configuration, until the loader takes it.
    var passcodeText: SecretBytes?

    /// Creates a configuration from the dictionary of a property list or of JSON.
    ///
    /// - Parameters:
    ///   - config: The dictionary, at most 32 levels deep with at most 10,000 values.
    ///   - source: The name of the source in errors.
    /// - Throws: `ConfigurationError` if it is not a configuration, if two entries of `auth` have the same type, or if a client has
    ///   no identifier or grant.
    public init(discoveryServiceConfig config: Any, source: String = "the configuration") throws(ConfigurationError) {
        try self.init(try ConfigurationNode(config, source: source), source: source)
    }

    /// Parses a property list or JSON of at most 1 MiB.
    ///
    /// - Throws: `ConfigurationError`, which quotes nothing of the bytes.
    public init(data: Data, source: String = "the configuration") throws(ConfigurationError) {
        try self.init(try ConfigurationText.read(data, source: source), source: source)
    }

    init(_ node: ConfigurationNode, source: String) throws(ConfigurationError) {
        self.source = source
        let outline = try DiscoveryOutline(node, source: source)
        passcodeText = outline.passcode.map { SecretBytes(utf8: $0) }
        root = node.removingPasscodes
        // Invalid values are reported here, with their source, and not only when they are used.
        _ = try outline.values(grantType: nil)
    }

    /// Whether the configuration describes a server. Device management also provides dictionaries for other purposes.
    var namesServer: Bool { root["host"] != nil || root["auth"] != nil || root[DiscoveryKey.authorizationEndpoint] != nil }

    /// The server's authentication methods, in the configuration's order.
    public var authentication: [AuthenticationType] {
        guard case .list(let entries)? = root["auth"] else { return [] }
        return entries.compactMap { $0["type"]?.text }.map(AuthenticationType.init(rawValue:))
    }

    /// Returns the texts by key, for generated parameters.
    ///
    /// `oauth2.clientID`, `oauth2.redirectURL` and `oauth2.grantType` belong to the selected client;
    /// `oauth2.clients.GRANT.clientID` etc. belong to the first client of each grant.
    ///
    /// - Parameters:
    ///   - grantType: The grant that selects the client; `nil` selects `authorization_code`, or otherwise the first client.
    ///   - passcode: The text of an ``OnboardingPasscode``, returned as `oauth2.passcode`.
    /// - Throws: `ConfigurationError.missingKey(_:source:)` if no client has the grant.
    public func values(grantType: String? = nil, passcode: String? = nil) throws(ConfigurationError) -> ConfigurationValues {
        var values = try DiscoveryOutline(root, source: source).values(grantType: grantType)
        if let passcode { values.values[DiscoveryKey.passcode] = passcode }
        return values
    }

    /// The paths of backends by name, as in `AppParameters.plist`.
    public var destinations: [String: String] {
        guard case .dictionary(let nodes)? = root[DiscoveryKey.destinations] else { return [:] }
        return nodes.compactMapValues(\.text)
    }

    /// Returns the configuration with additional top-level keys of another one. For example, `ConfigurationProvider.plist` has the
    /// server and `AppParameters.plist` the application.
    ///
    /// - Throws: `ConfigurationError`.
    public func completed(with other: DiscoveryConfiguration) throws(ConfigurationError) -> DiscoveryConfiguration {
        guard case .dictionary(let own) = root, case .dictionary(let more) = other.root else { return self }
        var completed = try DiscoveryConfiguration(.dictionary(own.merging(more) { own, _ in own }), source: source)
        completed.passcodeText = passcodeText ?? other.passcodeText
        return completed
    }

    /// The configuration as a Foundation dictionary, without a passcode.
    public var dictionary: NSDictionary {
        guard let values = root.foundationValue as? [String: Any] else { return NSDictionary() }
        return NSDictionary(dictionary: values)
    }
}

extension DiscoveryConfiguration: Equatable {
    /// Compares the configured values, independently of their source.
    public static func == (left: DiscoveryConfiguration, right: DiscoveryConfiguration) -> Bool {
        left.root == right.root && left.passcodeText == right.passcodeText
    }
}

extension DiscoveryConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The source and the methods. Values are not shown.
    public var description: String {
        "DiscoveryConfiguration(\(source), methods: \(authentication.count), redacted)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["source": source, "methods": authentication.count], displayStyle: .struct)
    }
}

extension DiscoveryConfiguration: Codable {
    private enum CodingKeys: String, CodingKey { case source, json }

    /// Decodes a configuration that ``encode(to:)`` has written.
    ///
    /// - Throws: `DecodingError`; `ConfigurationError` for an invalid configuration.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let json = try container.decode(String.self, forKey: .json)
        try self.init(data: Data(json.utf8), source: try container.decode(String.self, forKey: .source))
    }

    /// Encodes ``afterPasscodeExchange()``, which never contains a passcode or a client that requests one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(source, forKey: .source)
        let data = try JSONSerialization.data(withJSONObject: afterPasscodeExchange().root.foundationValue, options: [.sortedKeys])
        try container.encode(String(decoding: data, as: UTF8.self), forKey: .json)
    }
}
