/// The keys of configurations that the reader itself knows. Those of parameters stand in specs.
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
    /// Names and paths of backends, in `AppParameters.plist`.
    static let destinations = "Destinations"

    /// Spellings of the application's identifier, the last as `AppParameters.plist` has it; a configuration has the value under all of them if
    /// it has it under one.
    static let applicationIDs = [appID, "applicationID", "Application Identifier"]

    /// What the value of a key has to be; `nil` for anything. Other keys of parameters are compared with their specs when they are read.
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
