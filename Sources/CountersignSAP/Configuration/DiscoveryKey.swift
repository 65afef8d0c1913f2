/// The keys of configurations that the parser uses itself. The keys of parameters are in specs.
enum DiscoveryKey {
    static let clients = "oauth2.clients"
    static let clientID = "oauth2.clientID"
    static let redirectURL = "oauth2.redirectURL"
    static let grantType = "oauth2.grantType"
    static let passcode = "oauth2.passcode"
    static let authorizationEndpoint = "oauth2.authorizationEndpoint"

    static let samlAuthorization = "saml2.web.post.authorization.endpoint.uri"
    static let samlFinish = "saml2.web.post.finish.endpoint.uri"
    static let samlFinishParameter = "saml2.web.post.finish.endpoint.redirectparam"

    static let appID = "appID"
    /// The names and paths of backends, in `AppParameters.plist`.
    static let destinations = "Destinations"

    /// The spellings of the application's identifier; the last is that of `AppParameters.plist`. A configuration with one of them
    /// provides the value under all of them.
    static let applicationIDs = [appID, "applicationID", "Application Identifier"]

    /// Returns the required form of a key's value; `nil` for any. Other parameters are validated by their specs when they are
    /// used.
    static func shape(of key: String) -> DiscoveryShape? {
        if let shape = shapes[key] { return shape }
        let isOurs = ["oauth2.", "saml2.", "otp.", "sls.", "com.sap."].contains(where: key.hasPrefix)
        return isOurs && ["URL", "Endpoint", "endpoint.uri"].contains(where: key.hasSuffix) ? .address : nil
    }

    private static let shapes: [String: DiscoveryShape] = Dictionary(
        [
            ("host", .host), ("protocol", .text), ("port", .number), (destinations, .textsByName), (samlFinishParameter, .text),
        ] + applicationIDs.map { ($0, .name) } + OAuth2ClientEntry.shapes.map { ("oauth2.\($0.key)", $0.shape) }
    ) { first, _ in first }
}
