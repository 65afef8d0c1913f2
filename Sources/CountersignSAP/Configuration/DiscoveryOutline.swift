internal import Countersign
internal import Foundation

/// The flattened content of a configuration: the texts of all levels in one dictionary, and the OAuth 2.0 clients.
struct DiscoveryOutline {
    private let source: String
    /// The texts of the top level and of each method's `config`. The first value of a key takes precedence.
    private var texts: [String: String] = [:]
    /// The keys whose value is a list, and those whose value has no text form.
    private var lists: Set<String> = [], unreadable: Set<String> = []
    private var clients: [OAuth2ClientEntry] = []
    private var methods: Set<String> = []

    init(_ root: ConfigurationNode, source: String) throws(ConfigurationError) {
        self.source = source
        guard case .dictionary(let top) = root else {
            throw .invalidStructure(detail: "the top level is not a dictionary", source: source)
        }
        try add(top)
        try addMethods(top["auth"])
        try checkClients()
    }

    private mutating func addMethods(_ auth: ConfigurationNode?) throws(ConfigurationError) {
        guard let auth else { return }
        guard case .list(let entries) = auth else {
            throw .invalidStructure(detail: "'auth' is not a list of dictionaries", source: source)
        }
        for (number, entry) in entries.enumerated() { try add(entry, number: number) }
    }

    private mutating func add(_ entry: ConfigurationNode, number: Int) throws(ConfigurationError) {
        guard case .dictionary(let method) = entry else {
            throw .invalidStructure(detail: "'auth[\(number)]' is not a dictionary", source: source)
        }
        if let type = method["type"] {
            guard case .text(let type) = type, !type.isEmpty else {
                throw .invalidStructure(detail: "'auth[\(number)].type' is not a string, or is empty", source: source)
            }
            guard methods.insert(type).inserted else {
                throw .invalidStructure(detail: "'auth[\(number)].type' is also the type of another entry", source: source)
            }
        }
        if let config = method["config"] {
            guard case .dictionary(let config) = config else {
                throw .invalidStructure(detail: "'auth[\(number)].config' is not a dictionary", source: source)
            }
            try add(config)
        }
        guard method["type"] != nil else { throw .missingKey("auth[\(number)].type", source: source) }
    }

    private mutating func add(_ settings: [String: ConfigurationNode]) throws(ConfigurationError) {
        // The order is fixed, so that the same one of several invalid values is reported each time.
        for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
            try DiscoveryKey.shape(of: key)?.check(value, place: key, source: source)
        }
        if let text = settings[DiscoveryKey.passcode]?.text {
            try OnboardingPasscode.checkLength(of: text, place: DiscoveryKey.passcode, source: source)
        }
        for (key, value) in settings where texts[key] == nil && !unreadable.contains(key) {
            texts[key] = value.joinedTexts
            if case .list = value { lists.insert(key) }
            if value.joinedTexts == nil { unreadable.insert(key) }
        }
        guard let list = settings[DiscoveryKey.clients] else { return }
        guard case .list(let entries) = list else {
            throw .invalidStructure(detail: "'\(DiscoveryKey.clients)' is not a list", source: source)
        }
        for (number, entry) in entries.enumerated() {
            clients.append(
                try OAuth2ClientEntry(entry, place: "\(DiscoveryKey.clients)[\(number)]", source: source))
        }
    }

    /// Checks that clients of grants with a user have a redirect URL, unless the flat form has one.
    private func checkClients() throws(ConfigurationError) {
        guard texts[DiscoveryKey.redirectURL] == nil else { return }
        for client in clients where client.texts["redirectURL"] == nil {
            guard ["authorization_code", "password"].contains(client.grantType) else { continue }
            throw .missingKey("\(client.place).redirectURL", source: source)
        }
    }

    /// The keys of the configuration as written; `host` stands for the server's URL.
    var writtenKeys: Set<String> { Set(texts.keys) }

    /// The passcode of the first client that has one.
    var passcode: String? { clients.lazy.compactMap(\.passcode).first ?? texts[DiscoveryKey.passcode] }

    /// Returns the texts together with the values that are derived from them.
    func values(grantType: String?) throws(ConfigurationError) -> ConfigurationValues {
        var values = texts
        for client in clients {
            let prefix = "\(DiscoveryKey.clients).\(client.grantType)."
            // Only the first client of a grant is used.
            guard values[prefix + "clientID"] == nil else { continue }
            for (key, value) in client.texts { values[prefix + key] = value }
        }
        if let client = try client(grantType) {
            let isNamed = grantType != nil
            for (key, value) in client.texts {
                let flat = "oauth2.\(key)"
                if isNamed || texts[flat] == nil { values[flat] = value }
            }
        }
        let spellings = DiscoveryKey.applicationIDs
        if let value = spellings.lazy.compactMap({ values[$0] }).first {
            for key in spellings where values[key] == nil { values[key] = value }
        }
        completeSAML(&values)
        var all = ConfigurationValues(values, source: source, baseURL: try ServerAddress.url(of: values, source: source))
        (all.lists, all.unreadable) = (lists, unreadable)
        return all
    }

    private func client(_ grantType: String?) throws(ConfigurationError) -> OAuth2ClientEntry? {
        guard let grantType else { return clients.first { $0.grantType == "authorization_code" } ?? clients.first }
        if let client = clients.first(where: { $0.grantType == grantType }) { return client }
        // The old flat form has one client, with its grant or none.
        if texts[DiscoveryKey.clientID] != nil, texts[DiscoveryKey.grantType] ?? grantType == grantType { return nil }
        throw .missingKey("\(DiscoveryKey.clients)[grantType=\(grantType)]", source: source)
    }

    /// Adds the URLs of a SAML login. Generated files contain only the finish page and its parameter; the login begins at the
    /// same page without the parameter.
    private func completeSAML(_ values: inout [String: String]) {
        guard methods.contains(AuthenticationType.saml.rawValue),
            values[DiscoveryKey.samlAuthorization] == nil || values[DiscoveryKey.samlFinishParameter] != nil
        else { return }
        let page = values[DiscoveryKey.samlFinish] ?? "/SAMLAuthLauncher"
        let parts = page.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        if values[DiscoveryKey.samlAuthorization] == nil { values[DiscoveryKey.samlAuthorization] = String(parts[0]) }
        let name = values[DiscoveryKey.samlFinishParameter] ?? "finishEndpointParam"
        let query = parts.count > 1 ? String(parts[1]) : ""
        let names = query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1).first.map(String.init) ?? "" }
        guard !names.contains(name) else { return }
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let encoded = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? name
        // The value is arbitrary, since the finish is matched by path and query names.
        values[DiscoveryKey.samlFinish] = page + (parts.count > 1 ? "&" : "?") + "\(encoded)=someUnusedValue"
    }
}
