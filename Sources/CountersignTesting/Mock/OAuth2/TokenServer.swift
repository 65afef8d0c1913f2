import Countersign
import Foundation
import HTTPTypes

/// The server side of a method with OAuth 2.0 tokens: the authorization server and the check of access tokens for resources.
struct TokenServer: MethodServer {
    let name: String
    let usesCookies = false
    let routes: OAuth2Routes
    let identityProviderCookies: Set<String> = []
    var serviceProviderCookies: Set<String> { routes.cookies }

    /// Creates the server for a method; `nil` if the method has another kind of credential.
    ///
    /// The clients and, unless the rules contain them, the URLs come from the description. All other behaviour is defined in this
    /// folder.
    init?(_ method: MethodDescription, hosts: MockHosts, options: MockOptions, rules: ServerRules) {
        guard method.credential == .oauth2Token, !method.grants.isEmpty else { return nil }
        var settings = MockOAuth2Options()
        settings.users = options.users
        settings.userField = method.mock.userField
        settings.passwordField = method.mock.passwordField
        settings.paths = rules.oauth2Paths ?? Self.paths(of: method)
        settings.clients = Self.clients(of: method)
        options.oauth2(&settings)
        let challenge: MockResponse?
        if Self.sendsBearer(method, options: options, rules: rules) {
            challenge = nil
        } else {
            challenge = MockResponse(challengeOf: method, options: options, rules: rules, body: "no access\n")
        }
        name = method.name
        let server = AuthorizationServer(options: settings, address: hosts.serviceProvider.absoluteString)
        routes = OAuth2Routes(server, challenge: challenge)
    }

    func serviceProviderPage(for request: MockRequest) async -> MockResponse? { await routes.respond(to: request) }
    func identityProviderPage(for request: MockRequest) -> MockResponse? { nil }

    func admit(_ request: MockRequest) -> MockAdmission {
        switch routes.resources.decide(on: request) {
        case .refused(let response): return response.status == .forbidden ? .refused(response) : .challenged(response)
        case .user(let user):
            routes.server.recorder.count { $0.resources += 1 }
            return .user(user)
        }
    }

    func challenge() -> MockResponse { routes.resources.challenge() }

    func endSession(of request: MockRequest) -> Bool { routes.endSession(of: request) }
    func endAllSessions() { routes.endAllSessions() }
    func revokeRefreshTokens(of user: String) { routes.server.revokeRefreshTokens(of: user) }

    func user(of request: MockRequest) -> String? {
        guard let token = routes.resources.token(of: request), case .good(let user, _) = routes.server.judge(token)
        else { return nil }
        return user
    }

    /// Whether the challenge is that of RFC 6750, which includes the error of the token.
    private static func sendsBearer(_ method: MethodDescription, options: MockOptions, rules: ServerRules) -> Bool {
        let named = options.signatures[method.name]
        if named == nil, rules.challenges[method.name] != nil { return false }
        let described = method.challenges.first { $0.name == named } ?? method.challenges.first
        return described?.schemes.contains { $0.name.lowercased() == "bearer" } ?? true
    }

    private static func paths(of method: MethodDescription) -> MockOAuth2Options.Paths {
        var paths = MockOAuth2Options.Paths()
        for step in method.grants.flatMap(\.authenticate) {
            switch step {
            case .present(let url, _): paths.authorize = url.path(percentEncoded: true)
            case .request(let request): paths.token = request.url.path(percentEncoded: true)
            case .generate, .fail, .prompt: break
            }
        }
        return paths
    }

    /// Returns the clients of the described grants. A grant with a page gives its client the authorization code grant, one
    /// without a page the client credentials grant. A grant with a successor is a passcode grant of the same client.
    private static func clients(of method: MethodDescription) -> [MockOAuth2Client] {
        var clients = method.grants.filter { $0.next == nil }.compactMap { Self.client(of: $0) }
        for grant in method.grants where grant.next != nil {
            guard let name = client(of: grant)?.id, let place = clients.firstIndex(where: { $0.id == name }) else { continue }
            clients[place].grants.insert(.password)
        }
        return clients
    }

    private static func client(of grant: MethodDescription.Grant) -> MockOAuth2Client? {
        var redirects: [String] = []
        var client: MethodDescription.Client?
        for step in grant.authenticate {
            switch step {
            case .present(_, let finish): redirects.append(finish.url.absoluteString)
            case .request(let request): client = request.client
            case .generate, .fail, .prompt: break
            }
        }
        guard let client else { return nil }
        // The description does not contain the encoding of HTTP Basic.
        guard !redirects.isEmpty else {
            return MockOAuth2Client(
                id: client.id, secret: client.secret, grants: [.clientCredentials], authentications: [.basic, .rawBasic])
        }
        return MockOAuth2Client(
            id: client.id, secret: client.secret,
            redirectURIs: redirects + ["http://127.0.0.1/callback", "http://[::1]/callback"], authentications: [.basic, .rawBasic])
    }
}
