import Foundation
import HTTPTypes

/// Plays an authorization server behind the authorization server: the XSUAA of SAP's Cloud Foundry platform, at the identity provider's
/// host, for which the application's host is a client.
///
/// Users sign in there. The browser comes back to `/login/callback` of the application's host with a code of the XSUAA's; that host
/// redeems it and sends the browser on to the redirect URL of its one application, with a code of its own. From an application that knows
/// the address of the first page, a round trip is saved (SAP's "Customization - XSUAA Authorization URL"). What it sends along that the
/// application's host never sees, such as a code challenge, is of no use, and one makes the login fail: nobody could prove it.
struct XSUAAServer: Sendable {
    private let server: AuthorizationServer
    private let pages: AuthorizationEndpoint
    private let client: MockOAuth2Client
    private let paths: MockOAuth2Options.Paths
    private let application: OAuth2Routes
    /// The page with its query, as the application's configuration has it.
    let authorizationURL: String

    /// - Parameter application: The authorization server of the application's host.
    init(before application: OAuth2Routes, hosts: MockHosts) {
        let outer = application.server.options
        let callback = hosts.serviceProvider.absoluteString + outer.paths.loginCallback
        client = MockOAuth2Client(id: "sb-countersign!t1", secret: "xsuaa", redirectURIs: [callback], grants: [.authorizationCode])
        var options = MockOAuth2Options()
        options.clients = [client]
        options.users = outer.users
        options.userField = outer.userField
        options.passwordField = outer.passwordField
        options.paths.authorize = outer.paths.xsuaaAuthorize
        options.paths.login = outer.paths.xsuaaLogin
        // It takes challenges, and has clients that know nothing of them.
        options.requiresPKCE = false
        options.sendsIssuer = false
        options.scopes = ["openid"]
        options.now = outer.now
        options.random = outer.random
        paths = options.paths
        server = AuthorizationServer(options: options, issuer: hosts.identityProvider.absoluteString)
        pages = AuthorizationEndpoint(server, faults: FaultQueue(), cookies: "mock-xsuaa")
        self.application = application
        let query = [("response_type", "code"), ("client_id", client.id), ("redirect_uri", callback)]
        authorizationURL = RedirectURI.adding(
            query, to: hosts.identityProvider.absoluteString + paths.authorize, asFragment: false)
    }

    /// The names of the cookies that the pages set.
    var cookies: Set<String> { pages.cookies }

    /// A page of the XSUAA; `nil` if the address is none.
    func respond(to request: MockRequest) -> MockResponse? {
        switch request.path {
        case paths.authorize: pages.authorize(request)
        case paths.login: pages.login(request)
        default: nil
        }
    }

    /// The page of the application's host that a login at the XSUAA comes back to; `nil` if the address is another.
    func callback(_ request: MockRequest) -> MockResponse? {
        guard request.path == application.server.options.paths.loginCallback else { return nil }
        guard request.method == .get else { return .notAllowed(allow: "GET") }
        guard let fields = request.queryFields, let user = user(for: OAuth2Parameters(fields)),
            let app = application.server.options.clients.first(where: { !$0.redirectURIs.isEmpty }),
            let redirect = app.redirectURIs.first
        else { return .page(LoginPages.message("Sign-in failed", "The code cannot be redeemed."), status: .badRequest) }
        application.server.recorder.count { $0.xsuaaLogins += 1 }
        return application.authorization.accept(
            AuthorizationRequest(
                client: app, redirectURI: redirect, sentRedirectURI: redirect, state: OAuth2Parameters(fields)["state"],
                scopes: application.server.options.scopes, challenge: nil), user: user)
    }

    private func user(for parameters: OAuth2Parameters) -> String? {
        guard let code = parameters["code"], let callback = client.redirectURIs.first else { return nil }
        let form = OAuth2Parameters(["code": code, "redirect_uri": callback])
        guard let issue = try? server.issue(.authorizationCode, for: form, to: client),
            case .good(let user, _) = server.judge(issue.accessToken)
        else { return nil }
        return user
    }
}
