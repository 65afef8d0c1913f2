public import Countersign
public import Foundation

/// A configuration of SAP Mobile Services: where the server is, which methods it authenticates with, and what they need to know.
///
/// This is the content of a `ConfigurationProvider.plist`, of the JSON that the cockpit exports, of a QR code or a `config=` link:
///
/// ```json
/// { "auth": [{ "type": "oauth2", "config": {
///     "oauth2.authorizationEndpoint": "https://app.example/oauth2/api/v1/authorize",
///     "oauth2.tokenEndpoint": "https://app.example/oauth2/api/v1/token",
///     "oauth2.clients": [{ "clientID": "…", "grantType": "authorization_code", "redirectURL": "https://app.example" }] } }],
///   "host": "app.example", "protocol": "https" }
/// ```
///
/// Whatever generated parameters can be made from it, ``values(grantType:passcode:)`` gives:
///
/// ```swift
/// let parameters = try OAuth2AuthenticationParameters(configuration: configuration.values())
/// ```
///
/// A passcode of the cross-context single sign-on is not part of the value, its descriptions or what is stored of it: the loader hands
/// it out once, as an ``OnboardingPasscode``.
public struct DiscoveryConfiguration: Sendable {
    /// What to call it in an error, such as a file's name.
    public let source: String
    /// The tree, without passcodes.
    let root: ConfigurationNode
    /// The passcode that came with it, until the loader takes it out.
    var passcodeText: SecretBytes?

    /// Takes a configuration over from Foundation: the dictionary of a property list or of JSON.
    ///
    /// - Parameters:
    ///   - config: The dictionary, at most 32 levels deep with at most 10,000 values.
    ///   - source: What to call it in an error.
    /// - Throws: `ConfigurationError` if it is none, if two entries of `auth` have one type, or if a client has no identifier or grant.
    public init(discoveryServiceConfig config: Any, source: String = "the configuration") throws(ConfigurationError) {
        try self.init(try ConfigurationNode(config, source: source), source: source)
    }

    /// Reads the bytes of a property list or of JSON, at most 1 MiB.
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
        // What could not be read later is said now, at the place that it comes from.
        _ = try outline.values(grantType: nil)
    }

    /// Whether it says anything about a server: device management has dictionaries for other purposes, too.
    var namesServer: Bool { root["host"] != nil || root["auth"] != nil || root[DiscoveryKey.authorizationEndpoint] != nil }

    /// The methods that the server authenticates with, in the configuration's order.
    public var authentication: [AuthenticationType] {
        guard case .list(let entries)? = root["auth"] else { return [] }
        return entries.compactMap { $0["type"]?.text }.map(AuthenticationType.init(rawValue:))
    }

    /// The texts by key, for generated parameters.
    ///
    /// Under `oauth2.clientID`, `oauth2.redirectURL` and `oauth2.grantType` stands the client that was chosen; under
    /// `oauth2.clients.GRANT.clientID` and so on stands the first client of each grant.
    ///
    /// - Parameters:
    ///   - grantType: The grant whose client is meant; `nil` takes that of `authorization_code`, or else the first.
    ///   - passcode: What an ``OnboardingPasscode`` gave; it is in the values under `oauth2.passcode`.
    /// - Throws: `ConfigurationError.missingKey(_:source:)` if no client has the grant.
    public func values(grantType: String? = nil, passcode: String? = nil) throws(ConfigurationError) -> ConfigurationValues {
        var values = try DiscoveryOutline(root, source: source).values(grantType: grantType)
        if let passcode { values.values[DiscoveryKey.passcode] = passcode }
        return values
    }

    /// Paths of backends by their names, as `AppParameters.plist` has them.
    public var destinations: [String: String] {
        guard case .dictionary(let nodes)? = root[DiscoveryKey.destinations] else { return [:] }
        return nodes.compactMapValues(\.text)
    }

    /// The configuration with the top-level keys of another that it has not itself: `ConfigurationProvider.plist` says where the server
    /// is, `AppParameters.plist` which application it is asked for.
    ///
    /// - Throws: `ConfigurationError`.
    public func completed(with other: DiscoveryConfiguration) throws(ConfigurationError) -> DiscoveryConfiguration {
        guard case .dictionary(let own) = root, case .dictionary(let more) = other.root else { return self }
        var completed = try DiscoveryConfiguration(.dictionary(own.merging(more) { own, _ in own }), source: source)
        completed.passcodeText = passcodeText ?? other.passcodeText
        return completed
    }

    /// The dictionary for Foundation, without a passcode.
    public var dictionary: NSDictionary {
        guard let values = root.foundationValue as? [String: Any] else { return NSDictionary() }
        return NSDictionary(dictionary: values)
    }
}

extension DiscoveryConfiguration: Equatable {
    /// Compares what is configured; where it came from makes no difference.
    public static func == (left: DiscoveryConfiguration, right: DiscoveryConfiguration) -> Bool {
        left.root == right.root && left.passcodeText == right.passcodeText
    }
}

extension DiscoveryConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where it came from and which methods it has; no value is shown.
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

    /// Reads what ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError`; `ConfigurationError` if what is stored is no configuration.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let json = try container.decode(String.self, forKey: .json)
        try self.init(data: Data(json.utf8), source: try container.decode(String.self, forKey: .source))
    }

    /// Writes the configuration ``afterPasscodeExchange()``: what is stored never holds a passcode, nor a client that would ask for one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(source, forKey: .source)
        let data = try JSONSerialization.data(withJSONObject: afterPasscodeExchange().root.foundationValue, options: [.sortedKeys])
        try container.encode(String(decoding: data, as: UTF8.self), forKey: .json)
    }
}
