public import CountersignTesting
public import Foundation

extension MockLandscape {
    /// Returns the application's configuration of its server, with a client for the authorization code grant.
    ///
    /// - Returns: JSON; `nil` if no client has the grant.
    public func makeConfiguration() -> Data? {
        guard let server = authorizationServer,
            let client = server.options.clients.first(where: { $0.grants.contains(.authorizationCode) })
        else { return nil }
        return configuration(server.options, [Self.entry(client, grant: "authorization_code")])
    }

    /// Returns the content of a QR code for a user who is signed in elsewhere: the application's configuration with an additional
    /// client for the password grant and a new passcode, as in SAP's documentation of the cross-context single sign-on.
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

    /// Returns the same content as a link that opens the application on the same device, in the query item `config`.
    ///
    /// - Parameters:
    ///   - address: The application's URL, such as `com.example.app://onboarding`.
    ///   - user: The user who is signed in elsewhere.
    public func makeCrossContextLink(to address: URL, for user: String = "alice") -> URL? {
        guard let configuration = makeCrossContextConfiguration(for: user) else { return nil }
        let value = String(decoding: configuration, as: UTF8.self)
        return URL(string: RedirectURI.adding([("config", value)], to: address.absoluteString))
    }
}
