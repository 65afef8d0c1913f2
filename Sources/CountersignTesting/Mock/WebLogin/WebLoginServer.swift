import Countersign
import Foundation
import HTTPTypes

/// The server side of a method with a login by web pages and session cookies, such as SAML.
struct WebLoginServer: MethodServer {
    let name: String
    let usesCookies = true
    let serviceProviderCookies: Set<String>
    let identityProviderCookies: Set<String> = [IdentityProvider.browserCookie, IdentityProvider.userCookie]
    private let challengeTemplate: MockResponse
    private let serviceProvider: ServiceProvider
    private let identityProvider: IdentityProvider

    /// Creates the server for a method; `nil` if the method has no login page and session cookies.
    ///
    /// - Throws: ``MockLandscapeError/unplayable(method:key:reason:)`` if the described URLs do not allow a login at the mock.
    init?(
        _ method: MethodDescription, hosts: MockHosts, options: MockOptions, rules: ServerRules, recorder: MockRecorder
    ) throws(MockLandscapeError) {
        guard method.credential == .sessionCookies, method.mock.page == .login,
            case .present(let launcher, let finish)? = method.authenticate.first
        else { return nil }
        guard Origin(launcher) == Origin(hosts.serviceProvider) else {
            throw .unplayable(
                method: method.name, key: "acquire.present.open",
                reason: """
                    its origin is \(Origin(launcher)?.description ?? "not http or https"), but the mock serves all pages at its \
                    own origin; derive the parameter from the landscape's settings, in which the mock is the server
                    """)
        }
        let launcherPath = rules.launcherPath ?? launcher.path(percentEncoded: true)
        let finishAddress =
            rules.finish.map { MockAddress($0, at: hosts.serviceProvider) } ?? MockAddress(finish.url, at: hosts.serviceProvider)
        guard finishAddress.path != launcherPath || finishAddress.queryNames?.isEmpty == false else {
            throw .unplayable(
                method: method.name, key: "acquire.present.ends-at",
                reason: """
                    it is the same page as 'open', and no query distinguishes the end of the login from its start; use another \
                    path or add a query
                    """)
        }
        let page = LoginPages.challenge(launcher: launcherPath)
        guard let challenge = MockResponse(challengeOf: method, options: options, rules: rules, body: page) else { return nil }
        name = method.name
        serviceProviderCookies = [method.mock.sessionCookie]

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
                launcherPath: launcherPath, finish: finishAddress,
                assertionConsumer: assertionConsumer, signOn: signOn, sessionCookie: method.mock.sessionCookie,
                redirectsByScript: method.mock.loginRedirect == .javascript, lifetime: options.loginLifetime),
            identityProvider: identityProvider, recorder: recorder)
        challengeTemplate = challenge
    }

    func serviceProviderPage(for request: MockRequest) -> MockResponse? { serviceProvider.page(for: request) }
    func identityProviderPage(for request: MockRequest) -> MockResponse? { identityProvider.page(for: request) }
    func admit(_ request: MockRequest) -> MockAdmission {
        serviceProvider.user(of: request).map { .user($0) } ?? .challenged(challengeTemplate)
    }
    func challenge() -> MockResponse { challengeTemplate }
    func endSession(of request: MockRequest) -> Bool { serviceProvider.endSession(of: request) }
    func user(of request: MockRequest) -> String? { serviceProvider.user(of: request) }
    func endAllSessions() { serviceProvider.endAllSessions() }
}
