import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Two servers of one authority: one issues certificates, over plain HTTP on this machine, and the other demands them.
struct DiscoveryBench: Sendable {
    /// The mock of the Certificate Discovery service, its OAuth 2.0 server, and the Secure Login Server.
    let services: MockLandscape
    /// The server that demands certificates.
    let resource: IdentityBench
    let store = IdentityMemory()
    /// The events of the discoveries' sessions.
    let events = OAuth2Events()

    static func run(
        discovery: MockCertificateDiscoveryOptions = MockCertificateDiscoveryOptions(),
        login: MockSecureLoginOptions = MockSecureLoginOptions(), _ body: (DiscoveryBench) async throws -> Void
    ) async throws {
        try await IdentityBench.run { resource in
            try await run(discovery: discovery, login: login, before: resource, body)
        }
    }

    private static func run(
        discovery: MockCertificateDiscoveryOptions, login: MockSecureLoginOptions, before resource: IdentityBench,
        _ body: (DiscoveryBench) async throws -> Void
    ) async throws {
        var options = MockOptions()
        options.protection = "OAuth2"
        options.certificateDiscovery = discovery
        options.certificateDiscovery?.authority = resource.authority
        options.secureLogin = login
        options.secureLogin?.authority = resource.authority
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { services in
            try await body(DiscoveryBench(services: services, resource: resource))
        }
    }

    /// A user who logs in.
    static var person: any WebPresenter { FormFillingPresenter(user: "alice", password: "wonderland") }

    /// Makes a session for the services that shows its pages to the user.
    func session() -> SAPURLSession {
        var configuration = SAPURLSession.Configuration()
        configuration.presenter = Self.person
        configuration.session.eventObservers = [events]
        return SAPURLSession(configuration: configuration)
    }

    /// Returns the dictionary of S3, as an application receives it.
    func configuration() throws -> [String: Any] {
        guard let data = services.makeCertificateDiscoveryConfiguration(),
            let configuration = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { throw CocoaError(.coderReadCorrupt) }
        return configuration
    }

    var parameters: SAPcpmsUserIdentityConfigurationParameters {
        get throws { try SAPcpmsUserIdentityConfigurationParameters(discoveryServiceConfig: configuration()) }
    }

    var oauth2: OAuth2AuthenticationParameters {
        get throws {
            guard let redirect = URL(string: "com.example.countersign://oauth2/callback") else { throw URLError(.badURL) }
            let settings = SAPcpmsSettingsParameters(backendURL: services.baseURL, applicationID: "com.example.app")
            return OAuth2AuthenticationParameters(settingsParameters: settings, clientID: "countersign", redirectURL: redirect)
        }
    }

    /// Makes a discovery whose session logs in by OAuth 2.0.
    func discovery() throws -> SAPcpmsUserIdentityDiscovery {
        let session = session()
        session.register(
            OAuth2Observer(authenticationParameters: try oauth2, tokenStore: MemoryTokenStore(), webViewPresenter: Self.person))
        return SAPcpmsUserIdentityDiscovery(certificateDiscoveryParameters: try parameters, sapURLSession: session)
    }

    /// The profile of the Secure Login Server.
    func profile(_ name: String = "default", subjectName: String = "") throws -> SLSConfigurationParameters {
        guard let parameters = SLSConfigurationParameters(slsServerURL: services.baseURL, profile: name, subjectName: subjectName)
        else { throw URLError(.badURL) }
        return parameters
    }

    /// Makes a discovery with a delegate for the user's input.
    func secureLogin(_ delegate: any SLSLoginInputDelegate) throws -> SLSUserIdentityDiscovery {
        SLSUserIdentityDiscovery(
            slsConfigurationParameters: try profile(), userInputDelegate: delegate, sapURLSession: session())
    }

    /// Returns the error of obtaining a certificate.
    func error(_ discovery: any UserIdentityObtaining) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            discovery.obtainUserIdentity { _, error in continuation.resume(returning: error) }
        }
    }
}

/// Answers each round with scripted input, and records the questions.
final class ScriptedLogin: SLSLoginInputDelegate {
    /// The answer to a round.
    enum Answer: Sendable {
        case values([String: String])
        case failure(any Error)
        /// The user closes the screen.
        case nothing
    }

    private let answers: Mutex<[Answer]>
    private let inputs = Mutex<[SLSLoginInput]>([])
    private let endings = Mutex(0)

    init(_ answers: Answer...) { self.answers = Mutex(answers) }

    /// The server's questions, round by round.
    var asked: [SLSLoginInput] { inputs.withLock { $0 } }
    /// The number of calls that announced the end of the rounds.
    var finished: Int { endings.withLock { $0 } }

    func slsUserIdentityDiscovery(
        _ discovery: SLSUserIdentityDiscovery, needsInputForLogin input: SLSLoginInput,
        completionHandler: @escaping @Sendable ([SLSLoginInputFieldValue]?, (any Error)?) -> Void
    ) {
        inputs.withLock { $0.append(input) }
        switch answers.withLock({ $0.isEmpty ? .nothing : $0.removeFirst() }) {
        case .values(let values):
            completionHandler(values.map { SLSLoginInputFieldValue(fieldName: $0.key, value: $0.value) }, nil)
        case .failure(let error): completionHandler(nil, error)
        case .nothing: completionHandler(nil, nil)
        }
    }

    func slsUserIdentityDiscoveryDidFinishReceivingInput(_ discovery: SLSUserIdentityDiscovery) { endings.withLock { $0 += 1 } }
}
