import Countersign
import Foundation
import HTTPTypes

/// Plays the server of a method that signs in through web pages and leaves session cookies, as SAML does.
struct WebLoginServer: MethodServer {
    let name: String
    let serviceProviderCookies: Set<String>
    let identityProviderCookies: Set<String> = [IdentityProvider.browserCookie, IdentityProvider.userCookie]
    private let challengeTemplate: MockResponse
    private let serviceProvider: ServiceProvider
    private let identityProvider: IdentityProvider

    /// Makes the server for a description; `nil` if it describes something else.
    init?(_ method: MethodDescription, hosts: MockHosts, options: MockOptions, rules: ServerRules, recorder: MockRecorder) {
        guard method.credential == .sessionCookies,
            let challenge = ServerRules.Challenge(of: method, options: options, rules: rules),
            case .present(let launcher, let finish)? = method.authenticate.first
        else { return nil }
        name = method.name
        serviceProviderCookies = [method.mock.sessionCookie]

        let launcherPath = rules.launcherPath ?? launcher.path(percentEncoded: true)
        let signOn = MockAddress("/identity-provider/\(method.name)/sign-on", at: hosts.identityProvider)
        let assertionConsumer = MockAddress("/service-provider/\(method.name)/assertions", at: hosts.serviceProvider)
        identityProvider = IdentityProvider(
            settings: IdentityProvider.Settings(
                signOn: signOn, login: MockAddress("/identity-provider/\(method.name)/login", at: hosts.identityProvider),
                assertionConsumer: assertionConsumer.url, userField: method.mock.userField,
                passwordField: method.mock.passwordField, users: options.users,
                remembersUsers: options.identityProviderRemembersUsers, lifetime: options.loginLifetime),
            recorder: recorder)
        serviceProvider = ServiceProvider(
            settings: ServiceProvider.Settings(
                launcherPath: launcherPath,
                finish: rules.finish.map { MockAddress($0, at: hosts.serviceProvider) }
                    ?? MockAddress(finish.url, at: hosts.serviceProvider),
                assertionConsumer: assertionConsumer, signOn: signOn, sessionCookie: method.mock.sessionCookie,
                redirectsByScript: method.mock.loginRedirect == .javascript, lifetime: options.loginLifetime),
            identityProvider: identityProvider, recorder: recorder)
        challengeTemplate = MockResponse(challenge, body: LoginPages.challenge(launcher: launcherPath))
    }

    func serviceProviderPage(for request: MockRequest) -> MockResponse? { serviceProvider.page(for: request) }
    func identityProviderPage(for request: MockRequest) -> MockResponse? { identityProvider.page(for: request) }
    func user(of request: MockRequest) -> String? { serviceProvider.user(of: request) }
    func challenge() -> MockResponse { challengeTemplate }
    func endSession(of request: MockRequest) -> Bool { serviceProvider.endSession(of: request) }
    func endAllSessions() { serviceProvider.endAllSessions() }
}

extension MockResponse {
    /// A challenge with a page as its body.
    fileprivate init(_ challenge: ServerRules.Challenge, body: String) {
        self = .page(body, status: HTTPResponse.Status(code: challenge.status))
        for (name, value) in challenge.fields.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
    }
}

extension ServerRules.Challenge {
    /// What a method's server sends: the signature that the options name, what is known of the server, or the first that is described.
    fileprivate init?(of method: MethodDescription, options: MockOptions, rules: ServerRules) {
        if let name = options.signatures[method.name] {
            guard let described = method.challenges.first(where: { $0.name == name }) else { return nil }
            self.init(described)
        } else if let known = rules.challenges[method.name] {
            self = known
        } else {
            guard let described = method.challenges.first else { return nil }
            self.init(described)
        }
    }

    private init(_ described: MethodDescription.Challenge) {
        let fields = described.fields.map { field in
            switch field.match {
            case .present: (field.name, "true")
            case .equals(let text), .prefix(let text), .contains(let text): (field.name, text)
            }
        }
        self.init(status: described.statuses.first ?? 200, fields: Dictionary(fields) { first, _ in first })
    }
}
