import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting

/// The authorization code grant with the generated `OAuth2Observer`: a user logs in, and many requests share the token.
struct AuthorizationCodeScenario: DemoScenario {
    let method = "OAuth2"
    let row = "OAuth2 code"

    func steps(of method: MethodDescription) -> [MethodDescription.Step] { method.steps(of: "authorization-code") }
    func authentications(at mock: MockLandscape) -> Int { mock.statistics.oauth2.tokenAnswers[.authorizationCode] ?? 0 }

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) throws -> any DemoClient {
        try OAuth2Client.withCode(for: mock, options: options)
    }
}

/// A renewal: the access token has expired at the server, and all requests carry it.
struct RefreshScenario: DemoScenario {
    let method = "OAuth2"
    let row = "OAuth2 refresh"

    func steps(of method: MethodDescription) -> [MethodDescription.Step] {
        method.grants.first { $0.name == "authorization-code" }?.refresh ?? []
    }
    func authentications(at mock: MockLandscape) -> Int { mock.statistics.oauth2.tokenAnswers[.refreshToken] ?? 0 }
    /// Logs in first, because the row shows only the renewal.
    func prepare(_ mock: MockLandscape, _ client: any DemoClient, _ resource: URL) async throws {
        _ = try await client.get(resource)
        mock.expireAccessTokens()
    }
    func forget(_ mock: MockLandscape, _ client: any DemoClient) { mock.expireAccessTokens() }

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) throws -> any DemoClient {
        try OAuth2Client.withCode(for: mock, options: options)
    }
}

/// The passcode of a scanned configuration. No user logs in, and each passcode can be used by only one observer.
struct PasscodeScenario: DemoScenario {
    let method = "OAuth2"
    let row = "OAuth2 QR code"

    func steps(of method: MethodDescription) -> [MethodDescription.Step] { method.steps(of: "password") }
    func authentications(at mock: MockLandscape) -> Int { mock.statistics.oauth2.tokenAnswers[.password] ?? 0 }

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) throws -> any DemoClient {
        let observer = try Self.observer(for: mock, options.exchanges)
        return SessionClient(options) { observer }
    }

    /// Replaces the observer, because each observer needs its own passcode.
    func forget(_ mock: MockLandscape, _ client: any DemoClient) async throws {
        guard let client = client as? SessionClient else { return client.endSession() }
        client.replaceObserver(with: try Self.observer(for: mock, client.exchanges))
    }

    private static func observer(for mock: MockLandscape, _ exchanges: ExchangeCounter) throws -> OAuth2Observer {
        guard let scanned = mock.makeCrossContextConfiguration() else {
            throw DemoError("no client of the mock may use a passcode")
        }
        let loader = ConfigurationLoader(providers: [JSONConfigurationProvider()])
        let loaded = try loader.loadConfiguration(userInputs: ["JSONstring": String(decoding: scanned, as: UTF8.self)])
        guard let passcode = loaded.passcode else { throw DemoError("the configuration has no passcode") }
        let values = try loaded.configuration.values(grantType: "password", passcode: passcode.redeem())
        let authenticator = OAuth2Authenticator(
            passwordAuthenticationParameters: try OAuth2PasswordAuthenticationParameters(configuration: values),
            sapURLSession: exchanges.tokenSession())
        return OAuth2Observer(authenticator: authenticator, tokenStore: MemoryTokenStore())
    }
}

/// The client credentials grant: no user logs in, a service authenticates.
struct ClientCredentialsScenario: DemoScenario {
    let method = "OAuth2"
    let row = "OAuth2 client"

    func steps(of method: MethodDescription) -> [MethodDescription.Step] { method.steps(of: "client-credentials") }
    func authentications(at mock: MockLandscape) -> Int { mock.statistics.oauth2.tokenAnswers[.clientCredentials] ?? 0 }

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) throws -> any DemoClient {
        guard let client = mock.client(of: "client-credentials"), let secret = client.secret else {
            throw DemoError("the landscape has no grant 'client-credentials'")
        }
        let parameters = try OAuth2ClientCredentialsAuthenticationParameters(
            settingsParameters: SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.demo"),
            name: client.id, secret: secret)
        let authenticator = OAuth2Authenticator(
            clientCredentialsAuthenticationParameters: parameters, sapURLSession: options.exchanges.tokenSession())
        return SessionClient(options) { OAuth2Observer(authenticator: authenticator, tokenStore: MemoryTokenStore()) }
    }
}

/// Clients with the authorization code grant.
enum OAuth2Client {
    static func withCode(for mock: MockLandscape, options: DemoClientOptions) throws -> SessionClient {
        guard let client = mock.client(of: "authorization-code"), let redirect = mock.redirect(of: "authorization-code") else {
            throw DemoError("the landscape has no grant 'authorization-code'")
        }
        let parameters = OAuth2AuthenticationParameters(
            settingsParameters: SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.demo"),
            clientID: client.id, redirectURL: redirect)
        let authenticator = OAuth2Authenticator(
            authenticationParameters: parameters, sapURLSession: options.exchanges.tokenSession())
        return SessionClient(options) { OAuth2Observer(authenticator: authenticator, tokenStore: MemoryTokenStore()) }
    }
}

extension MethodDescription {
    fileprivate func steps(of grant: String) -> [Step] { grants.first { $0.name == grant }?.authenticate ?? [] }
}

extension MockLandscape {
    /// The client that the spec's examples describe, as the mock knows it.
    fileprivate func client(of grant: String) -> MethodDescription.Client? {
        for case .request(let request) in methods.flatMap({ $0.steps(of: grant) }) { return request.client }
        return nil
    }

    fileprivate func redirect(of grant: String) -> URL? {
        for case .present(_, let finish) in methods.flatMap({ $0.steps(of: grant) }) { return finish.url }
        return nil
    }
}
