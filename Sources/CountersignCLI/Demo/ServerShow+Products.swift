import Countersign
import CountersignDynamic
import CountersignTesting
import Crypto
import Foundation

/// Popular products. Their overlays are executed directly from their specs, and the mock imitates the peculiarities of each
/// product.
extension ServerShow {
    /// A realm of Keycloak, which has an issuer of its own.
    static let keycloak = product("Keycloak") {
        $0.oddities.issuerPath = "/realms/demo"
        $0.openID?.metadataPath = "/realms/demo/.well-known/openid-configuration"
    } parameters: {
        ["issuer": ["\($0.baseURL.absoluteString)/realms/demo"]]
    }

    /// A tenant of Microsoft Entra ID, and a service that accepts tokens only from clients that answer claims challenges.
    static let entraID = product("EntraID", row: "Entra ID") {
        $0.oddities.claims = ["/notes": #"{"access_token":{"xms_cc":{"values":["cp1"]}}}"#]
    } parameters: {
        ["issuer": [$0.baseURL.absoluteString]]
    }

    /// An authorization server of Okta, where the audience of a client's assertions is the endpoint.
    static let okta: ServerShow = {
        let key = P256.Signing.PrivateKey()
        return product("Okta") {
            $0.oddities.assertionsNameEndpoint = true
            $0.clients.append(
                MockOAuth2Client(id: "keyed", redirectURIs: [redirect], key: key.publicKey.pemRepresentation))
        } parameters: {
            ["issuer": [$0.baseURL.absoluteString], "clientID": ["keyed"], "clientKey": [key.pemRepresentation]]
        }
    }()

    /// A tenant of Auth0, whose issuer ends in a slash, and whose tokens are for an audience.
    static let auth0 = product("Auth0") {
        $0.oddities.issuerPath = "/"
        $0.oddities.authorizationParameters = ["audience": "https://notes.example/api"]
    } parameters: {
        ["issuer": [$0.baseURL.absoluteString + "/"], "audience": ["https://notes.example/api"]]
    }

    /// Google accounts, for a device. The response contains the URL of the page for the code in a member with an older name.
    static let google = product("Google", method: "OpenIDDevice") {
        $0.oddities.devicePageMember = "verification_url"
        $0.clients.append(
            MockOAuth2Client(
                id: "screen", secret: "s3cret", grants: [.deviceCode, .refreshToken], authentications: [.body]))
    } parameters: { server in
        let address = [server.baseURL.absoluteString]
        return [
            "issuer": address, "endpoints": address, "keys": address, "pages": address, "clientID": ["screen"],
            "clientSecret": ["s3cret"],
        ]
    }

    /// GitHub, which does not announce how to get a token, refuses with status 200, and answers with forms.
    static let gitHub = product("GitHub", method: "AuthorizationCode", isSilent: true) {
        $0.openID = nil
        $0.oddities.refusesWithStatus200 = true
        $0.oddities.answersInForms = true
        $0.clients.append(
            MockOAuth2Client(id: "posting", secret: "s3cret", redirectURIs: [redirect], authentications: [.body]))
    } parameters: {
        [
            "authorizationURL": [$0.authorizationEndpoint.absoluteString], "tokenURL": [$0.tokenEndpoint.absoluteString],
            "clientID": ["posting"], "clientSecret": ["s3cret"],
        ]
    }

    /// GitLab, which does not announce how to get a token either.
    static let gitLab = product("GitLab", isSilent: true) { _ in
    } parameters: {
        ["issuer": [$0.baseURL.absoluteString]]
    }

    private static let redirect = "http://127.0.0.1/callback"

    /// - Parameters:
    ///   - landscape: The landscape that comes with the command.
    ///   - isSilent: Whether the server does not announce how to get a token, so that even the first request carries one.
    ///   - parameters: The method's values in addition to the servers, a client and its redirect URL.
    private static func product(
        _ landscape: String, row: String? = nil, method name: String = "OpenIDLogin", isSilent: Bool = false,
        _ change: @Sendable (inout MockOAuth2Options) -> Void,
        parameters: @escaping @Sendable (MockAuthorizationServer) -> [String: [String]]
    ) -> ServerShow {
        var options = provider
        if isSilent { options.challenge = .response(ServerRules.Challenge(status: 401, fields: [:])) }
        change(&options)
        return oauth(row ?? landscape, options, isSilent: isSilent) {
            $0.endAllSessions()
        } observer: { server in
            let method = try ShippedLandscapes.landscape(named: landscape).method(named: name)
            var given = parameters(server)
            given["apis"] = [server.baseURL.absoluteString]
            if given["clientID"] == nil { given["clientID"] = [MockOAuth2Client.app.id] }
            if name != "OpenIDDevice" { given["redirectURL"] = [redirect] }
            return ManagedObserver(
                try method.filled(try method.variant(named: nil), with: GivenValues(parameters: given)), prompter: nil, store: nil)
        }
    }
}
