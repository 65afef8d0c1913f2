public import Countersign

/// An origin to which a configuration sends credentials, with the keys that name it.
public struct CredentialOrigin: Sendable, Hashable {
    /// The origin.
    public let origin: Origin
    /// The configuration's keys with URLs at this origin, in alphabetical order. `host` is the server itself.
    ///
    /// They are for display: characters that such keys do not have, such as spaces and control characters, are escaped, because a
    /// hostile configuration could write a line of its own with them.
    public let keys: [String]

    /// Creates an origin.
    ///
    /// - Parameters:
    ///   - origin: The origin.
    ///   - keys: The keys with URLs at the origin.
    public init(_ origin: Origin, keys: some Sequence<String>) {
        self.origin = origin
        self.keys = keys.map(VisibleText.escapedName).sorted()
    }
}

extension CredentialOrigin: CustomStringConvertible {
    /// The origin and the keys, such as `https://login.example (oauth2.tokenEndpoint)`.
    public var description: String { "\(origin) (\(keys.joined(separator: ", ")))" }
}

extension DiscoveryConfiguration {
    /// The origins that can receive a credential, code, password or login cookie: that of the server (`host`), and those of all
    /// URLs among the texts at the top level and in each method's `config`, except redirect URLs. The specs, also those of
    /// applications, decide which keys receive credentials, so every key counts.
    ///
    /// A configuration that was scanned or opened as a link has no proof of its source, and the issuer of a token is authorization
    /// endpoint and token endpoint together (RFC 9700, section 4.4.2). In ``WelcomeScreenStep`` the user therefore confirms every
    /// origin other than the server's. An application that uses a configuration without that step must check the origins itself.
    ///
    /// The list is sorted by origin. A path belongs to the server; without `host` it is ignored.
    ///
    /// - Throws: `ConfigurationError` if the configuration cannot be read.
    public var credentialOrigins: [CredentialOrigin] {
        get throws(ConfigurationError) {
            let outline = try DiscoveryOutline(root, source: source)
            let values = try outline.values(grantType: nil)
            var keys: [Origin: Set<String>] = [:]
            if let server = values.baseURL.flatMap({ Origin($0) }) { keys[server] = ["host"] }
            // Every text is parsed, as it is for its use. A search for `://` would miss a slash before U+FE0F, which Foundation drops from
            // a host.
            for key in values.values.keys {
                guard !key.hasSuffix("redirectURL"), let origin = (try? values.url([key])).flatMap({ Origin($0) }) else { continue }
                keys[origin, default: []].insert(key)
            }
            return keys.map { origin, keys in
                // Other spellings of a key have the same value, so only the keys that the configuration contains are shown.
                let written = keys.intersection(outline.writtenKeys)
                return CredentialOrigin(origin, keys: written.isEmpty ? keys : written)
            }.sorted { "\($0.origin)" < "\($1.origin)" }
        }
    }
}
