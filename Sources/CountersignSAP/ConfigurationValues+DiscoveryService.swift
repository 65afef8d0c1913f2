public import Countersign

extension ConfigurationValues {
    /// Reads a configuration of SAP Mobile Services: `host`, `protocol`, `port`, and under `auth` a list of methods, each with its
    /// `config`.
    ///
    /// Texts, numbers and truth values are read, and of `oauth2.clients` the clients: see
    /// ``DiscoveryConfiguration/values(grantType:passcode:)`` for the keys that they are under. What is nested deeper otherwise belongs to
    /// readers of its own.
    ///
    /// - Parameters:
    ///   - config: A dictionary with texts as keys, as a property list or JSON has it.
    ///   - source: What to call it in an error.
    ///   - grantType: The grant whose client is meant; `nil` takes that of `authorization_code`, or else the first.
    /// - Throws: `ConfigurationError`.
    public init(
        discoveryServiceConfig config: Any, source: String = "the configuration", grantType: String? = nil
    ) throws(ConfigurationError) {
        let outline = try DiscoveryOutline(try ConfigurationNode(config, source: source), source: source)
        var values = try outline.values(grantType: grantType)
        // A caller that has the dictionary has the passcode already.
        if let passcode = outline.passcode { values.values[DiscoveryKey.passcode] = passcode }
        self = values
    }
}
