import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Two servers of one authority: one gives out certificates, over plain HTTP on this machine, the other demands them.
struct DiscoveryBench: Sendable {
    /// Has the Certificate Discovery service, its OAuth 2.0 server, and the Secure Login Server.
    let services: MockLandscape
    /// Demands certificates.
    let resource: IdentityBench
    let store = IdentityMemory()
    /// What the sessions of discoveries told.
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

    /// Somebody who logs in.
    static var person: any WebPresenter { FormFillingPresenter(user: "alice", password: "wonderland") }

    /// A session for the services, whose pages the person sees.
    func session() -> SAPURLSession {
        var configuration = SAPURLSession.Configuration()
        configuration.presenter = Self.person
        configuration.session.eventObservers = [events]
        return SAPURLSession(configuration: configuration)
    }

    /// The dictionary of S3, as an application gets it.
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

    /// A discovery whose session logs in by OAuth 2.0.
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

    /// A discovery whose delegate answers, or does not.
    func secureLogin(_ delegate: any SLSLoginInputDelegate) throws -> SLSUserIdentityDiscovery {
        SLSUserIdentityDiscovery(
            slsConfigurationParameters: try profile(), userInputDelegate: delegate, sapURLSession: session())
    }

    /// The error of obtaining a certificate.
    func error(_ discovery: any UserIdentityObtaining) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            discovery.obtainUserIdentity { _, error in continuation.resume(returning: error) }
        }
    }
}

/// Answers each round with what a person would type, and remembers what was asked.
final class ScriptedLogin: SLSLoginInputDelegate {
    /// What is done with a round.
    enum Answer: Sendable {
        case values([String: String])
        case failure(any Error)
        /// Somebody closes the screen.
        case nothing
    }

    private let answers: Mutex<[Answer]>
    private let inputs = Mutex<[SLSLoginInput]>([])
    private let endings = Mutex(0)

    init(_ answers: Answer...) { self.answers = Mutex(answers) }

    /// What the server wanted to know, round by round.
    var asked: [SLSLoginInput] { inputs.withLock { $0 } }
    /// How often it was said that no more rounds follow.
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
