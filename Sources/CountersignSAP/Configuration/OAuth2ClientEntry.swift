internal import Countersign

/// An entry of `oauth2.clients`.
struct OAuth2ClientEntry {
    /// The keys of an entry with their forms. In the flat form of a single client, they have the prefix `oauth2.`.
    static let shapes: [(key: String, shape: DiscoveryShape)] = [
        ("clientID", .name), ("grantType", .name), ("redirectURL", .address), ("clientSecret", .name), ("passcode", .name),
    ]

    /// The position of the entry in errors.
    let place: String
    let grantType: String
    /// The values of the entry other than the passcode, by key.
    let texts: [String: String]
    let passcode: String?

    /// Parses an entry.
    ///
    /// - Parameters:
    ///   - node: The entry.
    ///   - place: The position of the entry in errors.
    ///   - source: The name of the configuration in errors.
    init(_ node: ConfigurationNode, place: String, source: String) throws(ConfigurationError) {
        guard case .dictionary(let entry) = node else {
            throw .invalidStructure(detail: "'\(place)' is not a dictionary", source: source)
        }
        guard entry["clientID"] != nil else { throw .missingKey("\(place).clientID", source: source) }
        var texts: [String: String] = [:]
        for (key, shape) in Self.shapes {
            guard let value = entry[key] else { continue }
            guard case .text(let text) = value else {
                throw .invalidStructure(detail: "'\(place).\(key)' is not a string", source: source)
            }
            try shape.check(value, place: "\(place).\(key)", source: source)
            texts[key] = text
        }
        self.place = place
        // Files without a grant are from versions that supported only this one.
        grantType = texts["grantType"] ?? "authorization_code"
        texts["grantType"] = grantType
        passcode = texts.removeValue(forKey: "passcode")
        if let passcode { try OnboardingPasscode.checkLength(of: passcode, place: "\(place).passcode", source: source) }
        self.texts = texts
    }
}
