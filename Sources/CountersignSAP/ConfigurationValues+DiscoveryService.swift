public import Countersign

extension ConfigurationValues {
    /// Creates values from a configuration of SAP Mobile Services: `host`, `protocol`, `port`, and under `auth` a list of methods,
    /// each with its `config`.
    ///
    /// Texts, numbers, Boolean values and the clients in `oauth2.clients` are read; see
    /// ``DiscoveryConfiguration/values(grantType:passcode:)`` for their keys. Other nested values are ignored.
    ///
    /// - Parameters:
    ///   - config: The dictionary of a property list or of JSON.
    ///   - source: The name of the source in errors.
    ///   - grantType: The grant that selects the client; `nil` selects `authorization_code`, or otherwise the first client.
    /// - Throws: `ConfigurationError`.
    public init(
        discoveryServiceConfig config: Any, source: String = "the configuration", grantType: String? = nil
    ) throws(ConfigurationError) {
        let outline = try DiscoveryOutline(try ConfigurationNode(config, source: source), source: source)
        var values = try outline.values(grantType: grantType)
        // The passcode is included, since the caller already has it in the dictionary.
        if let passcode = outline.passcode { values.values[DiscoveryKey.passcode] = passcode }
        self = values
    }
}
