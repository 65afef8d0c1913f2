extension MockLandscape {
    /// Expires all access tokens of authorization servers. Refresh tokens stay valid.
    public func expireAccessTokens() {
        for server in tokenServers { server.routes.server.expireAccessTokens() }
    }

    /// Advances the time of authorization servers, so that issued codes and tokens age.
    public func advance(by duration: Duration) {
        for server in tokenServers { server.routes.server.advance(by: duration) }
    }

    /// Returns a single-use passcode for a user who is signed in elsewhere, with the lifetime in the options; `nil` if no client
    /// may use one.
    public func makePasscode(for user: String = "alice") -> String? {
        guard let server = tokenServers.first?.routes.server,
            let client = server.options.clients.first(where: { $0.grants.contains(.password) })
        else { return nil }
        return server.makePasscode(for: user, client: client)
    }

    /// Injects a fault into the next token requests.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - grant: The grant of the requests; `nil` for all.
    ///   - times: The number of faulty responses; `.max` for all.
    public func inject(tokenFault fault: MockTokenFault, for grant: MockOAuth2Client.Grant? = nil, times: Int = 1) {
        for server in tokenServers { server.routes.tokenFaults.add(fault, times: times) { grant == nil || $0 == grant } }
    }

    /// Injects a fault into the next redirects of authorization endpoints.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - times: The number of faulty redirects; `.max` for all.
    public func inject(callbackFault fault: MockCallbackFault, times: Int = 1) {
        for server in tokenServers { server.routes.callbackFaults.add(fault, times: times) { true } }
    }

    /// The methods whose credential is a token.
    var tokenServers: [TokenServer] { site.servers.tokenServers }

    /// The authorization server of the first method with tokens.
    package var authorizationServer: AuthorizationServer? { tokenServers.first?.routes.server }
}
