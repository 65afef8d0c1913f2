/// The routes of an authorization server and the check of its resources, for mounting into a server.
package struct OAuth2Routes: Sendable {
    /// The rules and issued tokens of the server.
    package let server: AuthorizationServer
    let tokenFaults = FaultQueue<MockOAuth2Client.Grant?, MockTokenFault>()
    let callbackFaults = FaultQueue<Void, MockCallbackFault>()
    let introspectionFaults = FaultQueue<Void, MockIntrospectionFault>()
    let resources: BearerCheck
    let authorization: AuthorizationEndpoint
    private let token: TokenEndpoint
    private let revocation: RevocationEndpoint
    private let device: DeviceEndpoint

    /// - Parameter challenge: The response to a request for a resource without a valid token; `nil` for that of the options.
    init(_ server: AuthorizationServer, challenge: MockResponse? = nil) {
        self.server = server
        resources = BearerCheck(server: server, template: challenge)
        authorization = AuthorizationEndpoint(server, faults: callbackFaults)
        token = TokenEndpoint(server: server, faults: tokenFaults)
        revocation = RevocationEndpoint(server: server)
        device = DeviceEndpoint(server: server)
    }

    /// The names of the cookies that the pages set.
    var cookies: Set<String> { authorization.cookies }

    /// Returns the response of a page or an endpoint; `nil` if the path belongs to neither.
    func respond(to request: MockRequest) async -> MockResponse? {
        switch request.path {
        case server.options.paths.authorize: authorization.authorize(request)
        case server.options.paths.login: authorization.login(request)
        case server.options.paths.token, server.options.paths.token + "/certificates": await token.respond(to: request)
        case server.options.paths.revoke: revocation.respond(to: request)
        case server.options.paths.introspect:
            IntrospectionEndpoint(server: server, faults: introspectionFaults).respond(to: request)
        case server.options.paths.device: device.respond(to: request)
        case server.options.paths.verify: device.verify(request)
        case server.options.paths.end where server.openID != nil: authorization.end(request)
        case server.options.paths.push: PushEndpoint(server: server).respond(to: request)
        default: publication(for: request)
        }
    }

    private func publication(for request: MockRequest) -> MockResponse? {
        if let path = server.options.openID?.registrationPath, request.path == path {
            return RegistrationEndpoint(server: server).respond(to: request)
        }
        let answer = server.openID?.respond(to: request)
        if answer != nil { server.recorder.count { $0.publications += 1 } }
        return answer
    }

    /// Redirects the browser of a user who has signed in at another server to the application with a code, at the first redirect
    /// URL of the first client that has one.
    ///
    /// - Parameter state: The `state` of the application.
    /// - Returns: The response; `nil` if no client has a redirect URL.
    package func accept(_ user: String, state: String?) -> MockResponse? {
        guard let client = server.options.clients.first(where: { !$0.redirectURIs.isEmpty }),
            let redirectURI = client.redirectURIs.first
        else { return nil }
        return authorization.accept(
            AuthorizationRequest(
                client: client, redirectURI: redirectURI, sentRedirectURI: redirectURI, state: state,
                scopes: server.options.scopes, challenge: nil), user: user)
    }

    /// Revokes all tokens of the login whose access token the request carries, and returns whether there was one.
    func endSession(of request: MockRequest) -> Bool {
        resources.token(of: request).map { server.endSession(of: $0) } ?? false
    }

    /// Revokes all codes and tokens, and ends all users' sessions.
    func endAllSessions() {
        server.revokeAll()
        authorization.endSessions()
    }
}
