internal import Countersign

extension DiscoveryConfiguration {
    /// The configuration after the exchange of a passcode for tokens: the client of the passcode becomes one of the authorization
    /// code grant.
    ///
    /// Encoding a configuration always writes this form, so it is what is stored.
    public func afterPasscodeExchange() -> DiscoveryConfiguration {
        var changed = self
        changed.passcodeText = nil
        return changed.replacingRoot(root.exchangingPasscodes)
    }

    /// Whether both have the same server and methods, independently of a passcode in one of them.
    func isEquivalent(to other: DiscoveryConfiguration?) -> Bool {
        root.exchangingPasscodes == other?.root.exchangingPasscodes
    }

    /// Removes and returns the passcode.
    mutating func takePasscode() -> String? {
        defer { passcodeText = nil }
        return passcodeText.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private init(checked root: ConfigurationNode, source: String) {
        self.root = root
        self.source = source
        passcodeText = nil
    }

    private func replacingRoot(_ root: ConfigurationNode) -> DiscoveryConfiguration {
        DiscoveryConfiguration(checked: root, source: source)
    }
}

extension ConfigurationNode {
    /// The tree without the passcodes of clients at any level.
    var removingPasscodes: ConfigurationNode {
        mappingOAuth2 { settings in
            settings[DiscoveryKey.passcode] = nil
            settings[DiscoveryKey.clients] = settings[DiscoveryKey.clients]?.mappingEntries { $0["passcode"] = nil }
        }
    }

    /// The tree without passcodes, and with the authorization code grant in place of the password grant in all clients.
    var exchangingPasscodes: ConfigurationNode {
        removingPasscodes.mappingOAuth2 { settings in
            if settings[DiscoveryKey.grantType] == .text("password") {
                settings[DiscoveryKey.grantType] = .text("authorization_code")
            }
            guard case .list(let entries)? = settings[DiscoveryKey.clients] else { return }
            var clients: [ConfigurationNode] = []
            for entry in entries {
                guard case .dictionary(var client) = entry else { continue }
                if client["grantType"] == .text("password") { client["grantType"] = .text("authorization_code") }
                // The same client may already be listed with the authorization code grant.
                if !clients.contains(.dictionary(client)) { clients.append(.dictionary(client)) }
            }
            settings[DiscoveryKey.clients] = .list(clients)
        }
    }

    /// Returns the tree with changes to the top-level settings and to those of each method.
    private func mappingOAuth2(_ change: (inout [String: ConfigurationNode]) -> Void) -> ConfigurationNode {
        guard case .dictionary(var top) = self else { return self }
        change(&top)
        top["auth"] = top["auth"]?.mappingEntries { method in
            guard case .dictionary(var config)? = method["config"] else { return }
            change(&config)
            method["config"] = .dictionary(config)
        }
        return .dictionary(top)
    }

    private func mappingEntries(_ change: (inout [String: ConfigurationNode]) -> Void) -> ConfigurationNode {
        guard case .list(let entries) = self else { return self }
        return .list(
            entries.map { entry in
                guard case .dictionary(var values) = entry else { return entry }
                change(&values)
                return .dictionary(values)
            })
    }
}
