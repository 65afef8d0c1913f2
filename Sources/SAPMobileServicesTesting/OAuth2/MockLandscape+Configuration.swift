public import CountersignTesting
public import Foundation

extension MockLandscape {
    /// What an application receives about its server: the generated configuration, with a client for the authorization code grant.
    ///
    /// - Returns: JSON; `nil` if no client has the grant.
    public func makeConfiguration() -> Data? {
        guard let server = authorizationServer,
            let client = server.options.clients.first(where: { $0.grants.contains(.authorizationCode) })
        else { return nil }
        return configuration(server.options, [Self.entry(client, grant: "authorization_code")])
    }

    /// What a user who is signed in elsewhere sees as a QR code: the application's configuration with one more client, for the password
    /// grant and with a new passcode, as SAP documents it for single sign-on across contexts.
    ///
    /// - Returns: JSON; `nil` if no client may use a passcode.
    public func makeCrossContextConfiguration(for user: String = "alice") -> Data? {
        guard let server = authorizationServer, let passcode = makePasscode(for: user),
            let client = server.options.clients.first(where: { $0.grants.contains(.password) })
        else { return nil }
        var withPasscode = Self.entry(client, grant: "password")
        withPasscode["passcode"] = passcode
        return configuration(server.options, [Self.entry(client, grant: "authorization_code"), withPasscode])
    }

    private static func entry(_ client: MockOAuth2Client, grant: String) -> [String: String] {
        ["clientID": client.id, "grantType": grant, "redirectURL": client.redirectURIs.first ?? ""]
    }

    private func configuration(_ options: MockOAuth2Options, _ clients: [[String: String]]) -> Data? {
        guard let host = baseURL.host(), let port = baseURL.port, let scheme = baseURL.scheme else { return nil }
        let config: [String: Any] = [
            "oauth2.authorizationEndpoint": baseURL.absoluteString + options.paths.authorize,
            "oauth2.tokenEndpoint": baseURL.absoluteString + options.paths.token, "oauth2.clients": clients,
        ]
        return try? JSONSerialization.data(
            withJSONObject: [
                "auth": [["type": "oauth2", "config": config] as [String: Any]], "host": host, "port": port, "protocol": scheme,
            ] as [String: Any], options: [.sortedKeys])
    }

    /// The same as a link that opens the application on the same device, under `config`.
    ///
    /// - Parameters:
    ///   - address: The application's own address, such as `com.example.app://onboarding`.
    ///   - user: The user who is signed in elsewhere.
    public func makeCrossContextLink(to address: URL, for user: String = "alice") -> URL? {
        guard let configuration = makeCrossContextConfiguration(for: user) else { return nil }
        let value = String(decoding: configuration, as: UTF8.self)
        return URL(string: RedirectURI.adding([("config", value)], to: address.absoluteString))
    }
}
