/// The keys of configurations that the reader itself knows, and the shapes of these and of those that specs declare.
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
    /// As the SDK's documentation spells it.
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

    /// Spellings of one key; a configuration has the value under all of them if it has it under one.
    static let spellings: [[String]] = [
        [xsuaaEndpoint, xsuaaURL],
        [authorizationEndpoint, "oauth2.authorizationEndpointURL"],
        [tokenEndpoint, "oauth2.tokenEndpointURL"],
        [appID, applicationID, applicationIdentifier],
    ]

    /// The keys whose values are addresses that credentials are sent to.
    static let addresses = shapes.filter { $0.value.isAddress }.map(\.key)

    /// What the values of the known keys have to be: of those that the reader itself knows, and of those that the specs of SAP Mobile
    /// Services declare. All others may be anything.
    static let shapes: [String: DiscoveryShape] = [
        "host": .host, "protocol": .text, "port": .number,
        appID: .name, applicationID: .name, applicationIdentifier: .name, "deviceID": .text, "applicationVersion": .text,
        destinations: .textsByName,

        authorizationEndpoint: .address, "oauth2.authorizationEndpointURL": .address,
        tokenEndpoint: .address, "oauth2.tokenEndpointURL": .address,
        // They lead to another server, so a path cannot be meant.
        xsuaaEndpoint: .absoluteAddress, xsuaaURL: .absoluteAddress,
        clientID: .name, redirectURL: .redirect, grantType: .name, clientSecret: .name, passcode: .name,
        "oauth2.clients.password.clientID": .name, "oauth2.clients.password.redirectURL": .redirect,
        "oauth2.clients.client_credentials.clientID": .name, "oauth2.clients.client_credentials.clientSecret": .name,

        samlAuthorization: .address, samlFinish: .address, samlFinishParameter: .text,
        "saml2.web.post.authchallengeheader.name": .text, "saml2.web.post.authchallengeheader.value": .text,

        "otp.authorization.endpoint.uri": .address, "otp.finish.endpoint.uri": .address,
        "otp.authchallengeheader.name": .text, "otp.authchallengeheader.value": .text,

        "sls.loginURL": .address, "sls.certificateURL": .address, "sls.subjectName": .text,
        "sls.subjectAltNamesRfc822": .text, "sls.subjectAltNamesDNS": .text,

        "com.sap.mobilesecure.certificateService.attributesEndpoint": .address,
        "com.sap.mobilesecure.certificateService.requestEndpoint": .address,
        "com.sap.mobilesecure.certificateService.retireEndpoint": .address,
        // Of a list that cannot be read, nothing would be left to check.
        "com.sap.mobilesecure.certificateService.publicKeyPinSet": .texts,
    ]
}
