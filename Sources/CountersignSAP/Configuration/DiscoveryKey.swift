/// The keys of configurations that the reader itself knows; every other is for the specs.
enum DiscoveryKey {
    static let clients = "oauth2.clients"
    static let clientID = "oauth2.clientID"
    static let redirectURL = "oauth2.redirectURL"
    static let grantType = "oauth2.grantType"
    static let clientSecret = "oauth2.clientSecret"
    static let passcode = "oauth2.passcode"
    static let authorizationEndpoint = "oauth2.authorizationEndpoint"
    static let tokenEndpoint = "oauth2.tokenEndpoint"
    /// As the generated files spell it.
    static let xsuaaEndpoint = "oauth2.xsuaaAuthorizationEndpoint"
    /// As the seeds spell it (S0, "Customization - XSUAA Authorization URL").
    static let xsuaaURL = "oauth2.xsuaaAuthorizationURL"

    static let samlAuthorization = "saml2.web.post.authorization.endpoint.uri"
    static let samlFinish = "saml2.web.post.finish.endpoint.uri"
    static let samlFinishParameter = "saml2.web.post.finish.endpoint.redirectparam"

    static let appID = "appID"
    static let applicationID = "applicationID"
    /// As `AppParameters.plist` spells it.
    static let applicationIdentifier = "Application Identifier"
    /// Names and paths of backends, in `AppParameters.plist`.
    static let destinations = "Destinations"

    /// Pins of a server's keys: of a list that cannot be read, nothing would be left to check.
    static let pins = "com.sap.mobilesecure.certificateService.publicKeyPinSet"

    /// Spellings of one key; a configuration has the value under all of them if it has it under one.
    static let spellings: [[String]] = [
        [xsuaaEndpoint, xsuaaURL],
        [authorizationEndpoint, "oauth2.authorizationEndpointURL"],
        [tokenEndpoint, "oauth2.tokenEndpointURL"],
        [appID, applicationID, applicationIdentifier],
    ]

    /// Keys whose values have to be texts, so that one with another shape is not taken for one that is not there.
    static let texts: Set<String> = Set(spellings.joined()).union([
        clientID, redirectURL, grantType, clientSecret, passcode, samlAuthorization, samlFinish, samlFinishParameter,
        "saml2.web.post.authchallengeheader.name", "saml2.web.post.authchallengeheader.value",
    ])
}
