internal import CountersignTesting
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// An XSUAA with the addresses that SAP's Cloud Foundry platform gives it.
struct XSUAAOptions: MockServiceOptions {
    func makeService(in context: MockServiceContext) -> (any MockService)? {
        context.methods.authorization.map { XSUAAServer(before: $0, hosts: context.hosts) }
    }
}

/// Plays an authorization server behind the authorization server: the XSUAA of SAP's Cloud Foundry platform, at the identity provider's
/// host, for which the application's host is a client.
///
/// Users sign in there. The browser comes back to `/login/callback` of the application's host with a code of the XSUAA's; that host
/// redeems it and sends the browser on to the redirect URL of its one application, with a code of its own. From an application that knows
/// the address of the first page, a round trip is saved (SAP's "Customization - XSUAA Authorization URL"). What it sends along that the
/// application's host never sees, such as a code challenge, is of no use, and one makes the login fail: it could not be verified.
final class XSUAAServer: MockService {
    private static let callbackPath = "/login/callback"

    private let server: AuthorizationServer
    private let pages: AuthorizationEndpoint
    private let client: MockOAuth2Client
    private let callbackURL: String
    private let paths: MockOAuth2Options.Paths
    private let application: OAuth2Routes
    private let counted = Mutex(0)
    /// The page with its query, as the application's configuration has it.
    let authorizationURL: String

    /// - Parameter application: The authorization server of the application's host.
    init(before application: OAuth2Routes, hosts: MockHosts) {
        let outer = application.server.options
        callbackURL = hosts.serviceProvider.absoluteString + Self.callbackPath
        client = MockOAuth2Client(
            id: "sb-countersign!t1", secret: "xsuaa", redirectURIs: [callbackURL], grants: [.authorizationCode])
        var options = MockOAuth2Options()
        options.clients = [client]
        options.users = outer.users
        options.userField = outer.userField
        options.passwordField = outer.passwordField
        options.paths.authorize = "/oauth/authorize"
        options.paths.login = "/oauth/login"
        // It takes challenges, and has clients that know nothing of them.
        options.requiresPKCE = false
        options.sendsIssuer = false
        options.scopes = ["openid"]
        options.now = outer.now
        options.random = outer.random
        paths = options.paths
        server = AuthorizationServer(options: options, address: hosts.identityProvider.absoluteString)
        pages = AuthorizationEndpoint(server, cookies: "mock-xsuaa")
        self.application = application
        let query = [("response_type", "code"), ("client_id", client.id), ("redirect_uri", callbackURL)]
        authorizationURL = RedirectURI.adding(query, to: hosts.identityProvider.absoluteString + paths.authorize)
    }

    /// Logins that began here and came back to the application's host with a good code.
    var logins: Int { counted.withLock { $0 } }

    var identityProviderCookies: Set<String> { pages.cookies }

    func resetStatistics() { counted.withLock { $0 = 0 } }

    /// A page of the XSUAA.
    func identityProviderPage(for request: MockRequest) -> MockResponse? {
        switch request.path {
        case paths.authorize: pages.authorize(request)
        case paths.login: pages.login(request)
        default: nil
        }
    }

    /// The page of the application's host that a login at the XSUAA comes back to.
    func serviceProviderPage(for request: MockRequest) -> MockResponse? {
        guard request.path == Self.callbackPath else { return nil }
        guard request.method == .get else { return .notAllowed(allow: "GET") }
        guard let fields = request.queryFields, let code = fields["code"],
            let user = server.redeem(code, redirectURI: callbackURL, by: client),
            let answer = application.accept(user, state: fields["state"].flatMap { $0.isEmpty ? nil : $0 })
        else { return .page(LoginPages.message("Sign-in failed", "The code cannot be redeemed."), status: .badRequest) }
        counted.withLock { $0 += 1 }
        return answer
    }
}
