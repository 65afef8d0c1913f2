internal import CountersignTesting
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// The options of an XSUAA with the paths of SAP's Cloud Foundry platform.
struct XSUAAOptions: MockServiceOptions {
    func makeService(in context: MockServiceContext) -> (any MockService)? {
        context.methods.authorization.map { XSUAAServer(before: $0, hosts: context.hosts) }
    }
}

/// An authorization server behind the authorization server: the XSUAA of SAP's Cloud Foundry platform, at the identity provider's
/// host. The application's host is its client.
///
/// Users sign in at the XSUAA. The browser returns to `/login/callback` of the application's host with a code of the XSUAA. That
/// host redeems the code and redirects the browser to the redirect URL of its only application, with its own code. An application
/// that knows the URL of the first page saves one round trip (SAP's "Customization - XSUAA Authorization URL"). Additional
/// parameters of that request, such as a code challenge, do not reach the application's host, so they have no effect. A code
/// challenge makes the login fail, since it cannot be verified.
final class XSUAAServer: MockService {
    private static let callbackPath = "/login/callback"

    private let server: AuthorizationServer
    private let pages: AuthorizationEndpoint
    private let client: MockOAuth2Client
    private let callbackURL: String
    private let paths: MockOAuth2Options.Paths
    private let application: OAuth2Routes
    private let counted = Mutex(0)
    /// The URL of the first page with its query, as in the application's configuration.
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
        // It supports code challenges, but has clients without them.
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

    /// The number of logins that began here and returned to the application's host with a valid code.
    var logins: Int { counted.withLock { $0 } }

    var identityProviderCookies: Set<String> { pages.cookies }

    func resetStatistics() { counted.withLock { $0 = 0 } }

    /// Returns the response of a page of the XSUAA; `nil` if the path belongs to none.
    func identityProviderPage(for request: MockRequest) -> MockResponse? {
        switch request.path {
        case paths.authorize: pages.authorize(request)
        case paths.login: pages.login(request)
        default: nil
        }
    }

    /// Returns the response of the callback page at the application's host; `nil` for another path.
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
