extension MockLandscape {
    /// Makes all access tokens expire that authorization servers have given out; refresh tokens stay good.
    public func expireAccessTokens() {
        for server in tokenServers { server.routes.server.expireAccessTokens() }
    }

    /// Lets time pass for authorization servers, so that what they gave out grows old.
    public func advance(by duration: Duration) {
        for server in tokenServers { server.routes.server.advance(by: duration) }
    }

    /// A passcode for a user who is signed in elsewhere: good once, and for as long as the options say; `nil` if no client may use one.
    public func makePasscode(for user: String = "alice") -> String? {
        guard let server = tokenServers.first?.routes.server,
            let client = server.options.clients.first(where: { $0.grants.contains(.password) })
        else { return nil }
        return server.makePasscode(for: user, client: client)
    }

    /// Makes the next token requests go wrong.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong.
    ///   - grant: Which requests; `nil` is every one.
    ///   - times: How often; `.max` is for ever.
    public func inject(tokenFault fault: MockTokenFault, for grant: MockOAuth2Client.Grant? = nil, times: Int = 1) {
        for server in tokenServers { server.routes.tokenFaults.add(fault, times: times) { grant == nil || $0 == grant } }
    }

    /// Makes the next addresses wrong that authorization endpoints send browsers back to.
    ///
    /// - Parameters:
    ///   - fault: What is wrong.
    ///   - times: How often; `.max` is for ever.
    public func inject(callbackFault fault: MockCallbackFault, times: Int = 1) {
        for server in tokenServers { server.routes.callbackFaults.add(fault, times: times) { true } }
    }

    /// The methods whose credential is a token.
    var tokenServers: [TokenServer] { site.servers.tokenServers }

    /// The authorization server of the first method whose credential is a token.
    package var authorizationServer: AuthorizationServer? { tokenServers.first?.routes.server }
}
