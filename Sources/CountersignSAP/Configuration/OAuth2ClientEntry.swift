internal import Countersign

/// One entry of `oauth2.clients`.
struct OAuth2ClientEntry {
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
        var texts: [String: String] = [:]
        for key in ["clientID", "grantType", "redirectURL", "clientSecret", "passcode"] {
            guard let value = entry[key] else { continue }
            guard case .text(let text) = value, !text.isEmpty else {
                throw .invalidStructure(detail: "'\(place).\(key)' is not a text, or has nothing in it", source: source)
            }
            texts[key] = text
        }
        guard texts["clientID"] != nil else { throw .missingKey("\(place).clientID", source: source) }
        // Files that name no grant are older than the choice of one.
        grantType = texts["grantType"] ?? "authorization_code"
        texts["grantType"] = grantType
        passcode = texts.removeValue(forKey: "passcode")
        if let passcode, passcode.utf8.count > OnboardingPasscode.maximumLength {
            throw .invalidStructure(
                detail: "'\(place).passcode' has more than \(OnboardingPasscode.maximumLength) bytes", source: source)
        }
        self.texts = texts
    }
}
