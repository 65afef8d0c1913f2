public import Countersign

/// An origin that a configuration has credentials sent to, with the keys that name it.
public struct CredentialOrigin: Sendable, Hashable {
    /// The origin.
    public let origin: Origin
    /// The keys of the configuration whose addresses are there, in alphabetical order; `host` is the server itself.
    public let keys: [String]

    /// Makes an origin.
    ///
    /// - Parameters:
    ///   - origin: The origin.
    ///   - keys: The keys whose addresses are there.
    public init(_ origin: Origin, keys: some Sequence<String>) {
        self.origin = origin
        self.keys = keys.sorted()
    }
}

extension CredentialOrigin: CustomStringConvertible {
    /// The origin and the keys, such as `https://login.example (oauth2.tokenEndpoint)`.
    public var description: String { "\(origin) (\(keys.joined(separator: ", ")))" }
}

extension DiscoveryConfiguration {
    /// The origins that can receive a credential, a code, a password or a cookie of a login: that of the server (`host`), and that of every
    /// address among the texts at the top and in each method's `config`, whatever its key, but for redirect URLs, which browsers are sent back
    /// to. Which keys lead to credentials is for the specs to say, also for those of applications.
    ///
    /// Nothing in a configuration that was scanned or opened as a link proves where it comes from, and the issuer of a token is
    /// authorization endpoint and token endpoint together (RFC 9700, section 4.4.2). ``WelcomeScreenStep`` therefore has the user confirm
    /// every origin other than the server's. An application that makes parameters of a configuration without that step compares the
    /// origins itself.
    ///
    /// Sorted by origin. A path counts for the server that it belongs to, and for none where there is no `host`.
    ///
    /// - Throws: `ConfigurationError` if the configuration cannot be read.
    public var credentialOrigins: [CredentialOrigin] {
        get throws(ConfigurationError) {
            let outline = try DiscoveryOutline(root, source: source)
            let values = try outline.values(grantType: nil)
            var keys: [Origin: Set<String>] = [:]
            if let server = values.baseURL.flatMap({ Origin($0) }) { keys[server] = ["host"] }
            for (key, text) in values.values where text.contains("://") || text.hasPrefix("/") {
                guard !key.hasSuffix("redirectURL"), let origin = (try? values.url([key])).flatMap({ Origin($0) }) else { continue }
                keys[origin, default: []].insert(key)
            }
            return keys.map { origin, keys in
                // Other spellings of a key have its value, too; what is shown is what the configuration says.
                let written = keys.intersection(outline.writtenKeys)
                return CredentialOrigin(origin, keys: written.isEmpty ? keys : written)
            }.sorted { "\($0.origin)" < "\($1.origin)" }
        }
    }
}
