import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization

/// A client certificate from a PKCS #12 archive, with the generated `UserIdentityObserver`, at a server that demands one with a
/// page. The certificate is obtained once, and the requests are resent on connections with it.
struct CertificateScenario: DemoScenario {
    let method = "UserIdentity"
    let row = "Certificate"
    private let setup = CertificateSetup()
    private let asked = Counter()

    var mockOptions: MockOptions { setup.mockOptions }
    func authentications(at mock: MockLandscape) -> Int { asked.count }
    func prepare(_ mock: MockLandscape, _ client: any DemoClient, _ resource: URL) { asked.reset() }
    func forget(_ mock: MockLandscape, _ client: any DemoClient) {
        client.endSession()
        asked.reset()
    }

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) throws -> any DemoClient {
        try setup.makeClient(options, CountingIdentity(try setup.authority.get().archive(for: "alice"), asked))
    }
}

/// A client certificate from the Certificate Discovery service, with a login by OAuth 2.0.
struct CertificateDiscoveryScenario: DemoScenario {
    let method = "UserIdentity"
    let row = "Certificate CDS"
    private let setup = CertificateSetup()

    var mockOptions: MockOptions {
        var options = setup.mockOptions
        options.certificateDiscovery = MockCertificateDiscoveryOptions()
        return options
    }

    func words(of method: MethodDescription) -> [String] {
        ["generate", "present", "request", "http", "key", "certificate-request", "compute", "http", "identity", "prompt"]
    }
    func authentications(at mock: MockLandscape) -> Int { mock.certificateDiscoveryStatistics.issued.count }

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) throws -> any DemoClient {
        guard let data = mock.makeCertificateDiscoveryConfiguration(),
            let configuration = try JSONSerialization.jsonObject(with: data) as? [String: Any],
            let redirect = URL(string: "com.example.countersign://oauth2/callback")
        else { throw DemoError("the mock has no certificate discovery service") }
        let session = try setup.makeSession(options)
        session.register(
            OAuth2Observer(
                authenticator: OAuth2Authenticator(
                    authenticationParameters: OAuth2AuthenticationParameters(
                        settingsParameters: SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.demo"),
                        clientID: "countersign", redirectURL: redirect),
                    sapURLSession: session),
                tokenStore: MemoryTokenStore()))
        return try setup.makeClient(
            options,
            SAPcpmsUserIdentityDiscovery(
                certificateDiscoveryParameters: try SAPcpmsUserIdentityConfigurationParameters(
                    discoveryServiceConfig: configuration),
                sapURLSession: session))
    }
}

/// A client certificate from the Secure Login Server, after a password and a passcode.
struct SecureLoginScenario: DemoScenario {
    let method = "UserIdentity"
    let row = "Certificate SLS"
    private let setup = CertificateSetup()
    private let user = ScriptedUser()

    var mockOptions: MockOptions {
        var options = setup.mockOptions
        options.secureLogin = MockSecureLoginOptions()
        return options
    }

    func words(of method: MethodDescription) -> [String] {
        ["http", "prompt", "http", "prompt", "http", "key", "certificate-request", "http", "identity", "prompt"]
    }
    func authentications(at mock: MockLandscape) -> Int { mock.secureLoginStatistics.issued.count }

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) throws -> any DemoClient {
        guard let server = mock.secureLogin else { throw DemoError("the mock has no Secure Login Server") }
        return try setup.makeClient(
            options,
            SLSUserIdentityDiscovery(
                slsConfigurationParameters: SLSConfigurationParameters(
                    loginURL: server.loginEndpoint, certificateURL: server.certificateEndpoint),
                userInputDelegate: user, sapURLSession: try setup.makeSession(options)))
    }

    /// Enters the values that the server requests.
    private final class ScriptedUser: SLSLoginInputDelegate {
        func slsUserIdentityDiscovery(
            _ discovery: SLSUserIdentityDiscovery, needsInputForLogin input: SLSLoginInput,
            completionHandler: @escaping @Sendable ([SLSLoginInputFieldValue]?, (any Error)?) -> Void
        ) {
            let known = ["user": "alice", "password": "wonderland", "passcode": MockSecureLoginOptions().passcode]
            let values = input.inputFields.compactMap { field in
                known[field.fieldName].map { SLSLoginInputFieldValue(fieldName: field.fieldName, value: $0) }
            }
            completionHandler(values, nil)
        }

        func slsUserIdentityDiscoveryDidFinishReceivingInput(_ discovery: SLSUserIdentityDiscovery) {}
    }
}

/// The setup that the scenarios with certificates share: an authority, a mock with TLS, and clients that trust the authority.
private struct CertificateSetup {
    let authority = Result { try MockCertificateAuthority() }

    var mockOptions: MockOptions {
        var options = MockOptions()
        options.certificates = (try? authority.get()).map { MockCertificateOptions(authority: $0, demand: .page) }
        return options
    }

    func makeClient(_ options: DemoClientOptions, _ discovery: any UserIdentityObtaining) throws -> any DemoClient {
        SessionClient(options, trusting: try authority.get().pem) { UserIdentityObserver(userIdentityDiscovery: discovery) }
    }

    /// Returns a session for a service that issues certificates. Its pages are shown to the demo's user.
    func makeSession(_ options: DemoClientOptions) throws -> SAPURLSession {
        var configuration = SAPURLSession.Configuration()
        configuration.transport.trustRoots = .pem(try authority.get().pem)
        configuration.presenter = ExchangeCounter.presenter(FormFillingPresenter(user: "alice", password: "wonderland"))
        configuration.session.eventObservers = [options.steps]
        return SAPURLSession(
            configuration: configuration,
            transport: options.exchanges.transport(AsyncHTTPClientTransport(configuration: configuration.transport)))
    }
}

/// Provides an identity, and counts the requests for it.
private final class CountingIdentity: UserIdentityObtaining {
    private let archive: Data
    private let asked: Counter

    init(_ archive: Data, _ asked: Counter) {
        self.archive = archive
        self.asked = asked
    }

    func obtainUserIdentity(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        asked.add()
        completionHandler(archive, nil)
    }
}
