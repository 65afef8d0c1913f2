internal import Countersign

/// One entry of `oauth2.clients`.
struct OAuth2ClientEntry {
    /// The keys of an entry; those of one client that stands alone have `oauth2.` before them.
    static let shapes: [(key: String, shape: DiscoveryShape)] = [
        ("clientID", .name), ("grantType", .name), ("redirectURL", .address), ("clientSecret", .name), ("passcode", .name),
    ]

    /// Where it stands, for errors.
    let place: String
    let grantType: String
    /// What the entry says beside the passcode, by its own keys.
    let texts: [String: String]
    let passcode: String?

    /// Reads an entry.
    ///
    /// - Parameters:
    ///   - node: The entry.
    ///   - place: Where it stands, for errors.
    ///   - source: What to call the configuration in an error.
    init(_ node: ConfigurationNode, place: String, source: String) throws(ConfigurationError) {
        guard case .dictionary(let entry) = node else {
            throw .invalidStructure(detail: "'\(place)' is not a dictionary", source: source)
        }
        guard entry["clientID"] != nil else { throw .missingKey("\(place).clientID", source: source) }
        var texts: [String: String] = [:]
        for (key, shape) in Self.shapes {
            guard let value = entry[key] else { continue }
            guard case .text(let text) = value else {
                throw .invalidStructure(detail: "'\(place).\(key)' is not a text", source: source)
            }
            try shape.check(value, place: "\(place).\(key)", source: source)
            texts[key] = text
        }
        self.place = place
        // Files that name no grant are older than the choice of one.
        grantType = texts["grantType"] ?? "authorization_code"
        texts["grantType"] = grantType
        passcode = texts.removeValue(forKey: "passcode")
        if let passcode { try OnboardingPasscode.checkLength(of: passcode, place: "\(place).passcode", source: source) }
        self.texts = texts
    }
}
