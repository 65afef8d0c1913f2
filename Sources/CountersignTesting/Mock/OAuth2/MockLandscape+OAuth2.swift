public import Foundation

extension MockLandscape {
    /// The page of the XSUAA at which a login can begin instead of at the authorization endpoint, with the whole query that a configuration
    /// has there; `nil` if no method gets tokens. It is at the identity provider's host, and ends at the application's first redirect URL.
    public var xsuaaAuthorizationURL: URL? { tokenServers.first.flatMap { URL(string: $0.xsuaa.authorizationURL) } }

    /// Makes all access tokens expire that authorization servers have given out; refresh tokens stay good.
    public func expireAccessTokens() {
        for server in tokenServers { server.routes.server.expireAccessTokens() }
    }

    /// Lets time pass for authorization servers, so that what they gave out grows old.
    public func advance(by duration: Duration) {
        for server in tokenServers { server.routes.server.advance(by: duration) }
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
    var tokenServers: [TokenServer] { site.methods.compactMap { $0 as? TokenServer } }
}
