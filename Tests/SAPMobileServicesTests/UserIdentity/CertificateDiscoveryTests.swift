import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// M22: certificates from the Certificate Discovery service, which OAuth 2.0 protects.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct CertificateDiscoveryTests {
    @Test func `a request that needs a certificate gets one, for all that wait, and the store has it`() async throws {
        var options = MockCertificateDiscoveryOptions()
        options.subject = "CN=alice,OU=Sales,O=Example\\, Ltd."
        options.dns = ["alice.example.com", "laptop.example.com"]
        options.email = ["alice@example.com"]
        try await DiscoveryBench.run(discovery: options) { bench in
            try bench.resource.register(bench.discovery(), store: bench.store)
            let users = await bench.resource.users(20)
            #expect(users.compactMap { try? $0.get() } == Array(repeating: "alice", count: 20), "\(users.compactMap(\.failure))")
            let counted = bench.services.certificateDiscoveryStatistics
            // The service checks that the request is signed with its own key, and that it asks for the names in the attributes.
            #expect(counted.requests == 1)
            #expect(counted.issued.count == 1)
            #expect(bench.services.statistics.oauth2.tokenAnswers == [.authorizationCode: 1])
            let archive = try #require(bench.store.all.values.first)
            let identity = try PKCS12Archive(reading: archive, at: .now).identity
            #expect(identity.serialNumber == counted.issued.first)
            #expect(identity.certificateChain.count == 2)
        }
    }

    @Test func `what is stored is taken by the next session, and the service is not asked`() async throws {
        try await DiscoveryBench.run { bench in
            try bench.resource.register(bench.discovery(), store: bench.store)
            #expect(try await bench.resource.user() == "alice")
            let next = try IdentityBench.session(trusting: bench.resource.authority)
            next.register(UserIdentityObserver(userIdentityDiscovery: try bench.discovery(), identityStore: bench.store))
            let (data, _) = try await next.data(from: bench.resource.mock.baseURL.appending(path: "orders"))
            #expect(try JSONDecoder().decode(MockResource.self, from: data).user == "alice")
            #expect(bench.services.certificateDiscoveryStatistics.requests == 1)
            await next.session.invalidate(cancelling: true)
        }
    }

    @Test(arguments: [MockCertificateDiscoveryOptions.KeyType.p256, .rsa2048, nil])
    func `the key is of the kind that the attributes say, and P-256 where they say none`(
        kind: MockCertificateDiscoveryOptions.KeyType?
    ) async throws {
        var options = MockCertificateDiscoveryOptions()
        options.keyType = kind
        try await DiscoveryBench.run(discovery: options) { bench in
            let archive = try await bench.discovery().obtainUserIdentity()
            let key = try PKCS12Archive(reading: archive, at: .now).identity.privateKey.pkcs8.bytes
            // A PKCS #8 of a P-256 key has at most 150 bytes, of an RSA key of 2048 bits more than 1,000.
            #expect((key.count > 1000) == (kind == .rsa2048))
        }
    }

    @Test func `a certificate that is retired is refused, and another one is obtained`() async throws {
        try await DiscoveryBench.run { bench in
            let discovery = try bench.discovery()
            bench.resource.session.register(UserIdentityObserver(userIdentityDiscovery: discovery, identityStore: bench.store))
            #expect(try await bench.resource.user() == "alice")
            let first = try #require(bench.store.all.values.first)
            try await discovery.retireUserIdentity(first)
            #expect(bench.services.certificateDiscoveryStatistics.retired == bench.services.certificateDiscoveryStatistics.issued)
            // The existing connection was authenticated when it was made, so a new session is needed.
            let next = try IdentityBench.session(trusting: bench.resource.authority)
            next.register(UserIdentityObserver(userIdentityDiscovery: discovery, identityStore: bench.store))
            let (data, _) = try await next.data(from: bench.resource.mock.baseURL.appending(path: "orders"))
            #expect(try JSONDecoder().decode(MockResource.self, from: data).user == "alice")
            #expect(bench.services.certificateDiscoveryStatistics.issued.count == 2)
            #expect(bench.store.all.values.first != first)
            // A certificate that does not exist any longer counts as retired.
            try await discovery.retireUserIdentity(first)
            await next.session.invalidate(cancelling: true)
        }
    }

    @Test func `an access token of the application's takes the place of a login`() async throws {
        try await DiscoveryBench.run { bench in
            let authenticator = OAuth2Authenticator(
                authenticationParameters: try bench.oauth2, sapURLSession: bench.session(), webViewPresenter: DiscoveryBench.person)
            let token: OAuth2Token = try await withCheckedThrowingContinuation { continuation in
                authenticator.authenticate { token, error in
                    if let token { continuation.resume(returning: token) }
                    if let error { continuation.resume(throwing: error) }
                }
            }
            let discovery = SAPcpmsUserIdentityDiscovery(
                certificateDiscoveryParameters: try bench.parameters, sapURLSession: bench.session())
            discovery.oauthToken = token.accessToken
            let archive = try await discovery.obtainUserIdentity()
            #expect(try !PKCS12Archive(reading: archive, at: .now).identity.isExpired(at: .now))
            #expect(bench.services.statistics.oauth2.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `an observer of a configuration alone shows the login by the presenter of its session`() async throws {
        try await DiscoveryBench.run { bench in
            var configuration = SAPURLSession.Configuration()
            configuration.presenter = DiscoveryBench.person
            configuration.transport.trustRoots = .pem(try bench.resource.authority.pem)
            let session = SAPURLSession(configuration: configuration)
            session.register(
                UserIdentityObserver(certificateDiscoveryConfiguration: try bench.configuration(), identityStore: bench.store))
            let (data, _) = try await session.data(from: bench.resource.mock.baseURL.appending(path: "orders"))
            #expect(try JSONDecoder().decode(MockResource.self, from: data).user == "alice")
            await session.session.invalidate(cancelling: true)
        }
    }

    @Test func `a login page closes when nobody waits for the certificate any more`() async throws {
        try await DiscoveryBench.run { bench in
            let page = ClosingPage()
            let session = bench.session()
            session.register(
                OAuth2Observer(
                    authenticationParameters: try bench.oauth2, tokenStore: MemoryTokenStore(), webViewPresenter: page))
            try bench.resource.register(
                SAPcpmsUserIdentityDiscovery(certificateDiscoveryParameters: bench.parameters, sapURLSession: session))
            let request = Task { try await bench.resource.user() }
            await page.waiter.shown()
            request.cancel()
            _ = try? await request.value
            #expect(await page.closed.first { _ in true } != nil)
        }
    }

    @Test(
        arguments: [
            ("com.sap.mobilesecure.certificateService.requestEndpoint", nil),
            ("com.sap.mobilesecure.certificateService.authType", nil),
            ("com.sap.mobilesecure.certificateService.authType", "oauth"),
            ("com.sap.mobilesecure.certificateService.attributesEndpoint", "not an address"),
        ] as [(String, String?)])
    func `a configuration that cannot be used is an error of the request, which names the key`(
        key: String, value: String?
    ) async throws {
        try await DiscoveryBench.run { bench in
            var configuration = try bench.configuration()
            configuration[key] = value
            let observer = UserIdentityObserver(certificateDiscoveryConfiguration: configuration, identityStore: bench.store)
            bench.resource.session.register(observer)
            let error = await bench.resource.users(1).first?.failure
            let reason = (error as? ConfigurationError)?.failureReason ?? ""
            #expect(reason.contains(key), "\(String(describing: error))")
            let isUsable = key.hasSuffix("authType")
            let parameters = SAPcpmsUserIdentityConfigurationParameters(certificateDiscoveryConfiguration: configuration)
            #expect((parameters != nil) == isUsable)
        }
    }

    @Test(arguments: [[Data([1])] as [any Sendable], [["a": "b"]], ["ok", 1.5, Data()]])
    func `pins that cannot be read are no configuration without pins`(pins: [any Sendable]) async throws {
        try await DiscoveryBench.run { bench in
            var configuration = try bench.configuration()
            configuration["com.sap.mobilesecure.certificateService.publicKeyPinSet"] = pins
            #expect(SAPcpmsUserIdentityConfigurationParameters(certificateDiscoveryConfiguration: configuration) == nil)
            configuration["com.sap.mobilesecure.certificateService.publicKeyPinSet"] = " , "
            #expect(SAPcpmsUserIdentityConfigurationParameters(certificateDiscoveryConfiguration: configuration) == nil)
        }
    }

    @Test func `a pin that is none is an error, and the service is not asked`() async throws {
        try await DiscoveryBench.run { bench in
            var parameters = try bench.parameters
            parameters.publicKeyPinSet = ["sha256/short"]
            let discovery = SAPcpmsUserIdentityDiscovery(certificateDiscoveryParameters: parameters, sapURLSession: bench.session())
            #expect(await bench.error(discovery) is ServerPinError)
            #expect(bench.services.certificateDiscoveryStatistics.attributes == 0)
        }
    }

    @Test func `pins are held against the service before it is asked for anything`() async throws {
        let authority = try MockCertificateAuthority()
        var options = MockOptions()
        options.protection = "OAuth2"
        options.certificates = MockCertificateOptions(authority: authority, demand: .page)
        options.certificateDiscovery = MockCertificateDiscoveryOptions()
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            let data = try #require(mock.makeCertificateDiscoveryConfiguration())
            let configuration = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            var parameters = try SAPcpmsUserIdentityConfigurationParameters(discoveryServiceConfig: configuration)
            #expect(parameters.publicKeyPinSet.count == 1)
            let session = try IdentityBench.session(trusting: authority)
            let settings = SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.app")
            let redirect = try #require(URL(string: "com.example.countersign://oauth2/callback"))
            session.register(
                OAuth2Observer(
                    authenticator: OAuth2Authenticator(
                        authenticationParameters: OAuth2AuthenticationParameters(
                            settingsParameters: settings, clientID: "countersign", redirectURL: redirect),
                        sapURLSession: session, webViewPresenter: DiscoveryBench.person),
                    tokenStore: MemoryTokenStore()))
            func obtain() async throws -> Data {
                try await SAPcpmsUserIdentityDiscovery(certificateDiscoveryParameters: parameters, sapURLSession: session)
                    .obtainUserIdentity()
            }
            let archive = try await obtain()
            #expect(try !PKCS12Archive(reading: archive, at: .now).identity.isExpired(at: .now))
            let before = mock.certificateDiscoveryStatistics
            parameters.publicKeyPinSet = [Data(repeating: 7, count: 32).base64EncodedString()]
            let error = await #expect(throws: TransportError.self) { try await obtain() }
            #expect(error?.reason == .pinMismatch)
            #expect(mock.certificateDiscoveryStatistics == before)
            await session.session.invalidate(cancelling: true)
        }
    }

    @Test(
        .enabled(if: ForeignProgram.isInstalled("openssl"), "there is no openssl"),
        arguments: [MockCertificateDiscoveryOptions.KeyType.p256, .rsa2048])
    func `what is asked for passes 'openssl req -verify', and 'openssl ca' signs it`(
        kind: MockCertificateDiscoveryOptions.KeyType
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let authority = try OpenSSLAuthority(in: folder)
        var options = MockCertificateDiscoveryOptions()
        options.subject = "CN=alice,O=Example"
        options.dns = ["alice.example.com"]
        options.keyType = kind
        options.sign = authority.sign
        try await DiscoveryBench.run(discovery: options) { bench in
            try authority.take(over: bench.resource.authority)
            try bench.resource.register(bench.discovery(), store: bench.store)
            #expect(try await bench.resource.user() == "alice")
            let request = try authority.text(of: "request.pem", "req", "-verify", "-noout", "-text")
            #expect(request.contains("self-signature verify OK") || request.contains("verify OK"), "\(request)")
            #expect(request.contains("DNS:alice.example.com"))
            let subject = request.replacing(" = ", with: "=")
            #expect(subject.contains("O=Example, CN=alice"), "\(request)")
            #expect(request.contains(kind == .p256 ? "prime256v1" : "2048 bit"), "\(request)")
            let certificate = try authority.text(of: "certificate.pem", "x509", "-noout", "-subject", "-serial")
            #expect(certificate.contains("CN = alice") || certificate.contains("CN=alice"), "\(certificate)")
            let serial = try PKCS12Archive(reading: try #require(bench.store.all.values.first), at: .now).identity.serialNumber
            #expect(certificate.lowercased().contains("serial=\(serial)"), "\(certificate) \(serial)")
        }
    }

    @Test(arguments: Failing.allCases) func `M36 every case of the certificate discovery is reached`(
        _ expected: Failing
    ) async throws { try await expected.expectToBeReached() }

    enum Failing: ReachableCase {
        case getCertificateAttributes, parseCertificateAttributes, createCSR, getCertificate, parseCertificate, invalidUserIdentity
        case cancelled

        init(of error: SAPcpmsUserIdentityDiscoveryError) {
            switch error {
            case .getCertificateAttributes: self = .getCertificateAttributes
            case .parseCertificateAttributes: self = .parseCertificateAttributes
            case .createCSR: self = .createCSR
            case .getCertificate: self = .getCertificate
            case .parseCertificate: self = .parseCertificate
            case .invalidUserIdentity: self = .invalidUserIdentity
            case .cancelled: self = .cancelled
            }
        }

        private var fault: (MockEnrollmentFault, MockEnrollmentEndpoint)? {
            switch self {
            case .getCertificateAttributes: (.answer(status: 500, body: "c4n4ry"), .attributes)
            case .parseCertificateAttributes: (.members(["subject": nil]), .attributes)
            case .createCSR: (.members(["subject": #""c4n4ry without a name""#]), .attributes)
            case .getCertificate: (.answer(status: 503, body: #"{"message":"c4n4ry"}"#), .request)
            case .parseCertificate: (.members(["certificate": #""c4n4ry""#]), .request)
            case .invalidUserIdentity: (.foreignCertificate, .request)
            case .cancelled: nil
            }
        }

        func reach() async throws -> Ending {
            var ending = Ending(error: nil)
            try await DiscoveryBench.run { bench in
                let discovery = try bench.discovery()
                guard let (fault, endpoint) = fault else {
                    ending = Ending(error: try await Self.cancellation(bench))
                    return
                }
                // The first request has no token yet, and consumes a fault.
                bench.services.inject(enrollmentFault: fault, at: endpoint, times: endpoint == .attributes ? 2 : 1)
                ending = Ending(error: await bench.error(discovery), names: self == .getCertificate ? ["503"] : [])
                if case .answer(let status, _, _) = fault {
                    #expect(bench.events.all.contains { if case .unanswered(_, status) = $0 { true } else { false } })
                }
            }
            return ending
        }

        /// Cancels the task while the login page is shown, and returns the error.
        private static func cancellation(_ bench: DiscoveryBench) async throws -> (any Error)? {
            let session = bench.session()
            let page = WaitingPresenter()
            session.register(
                OAuth2Observer(
                    authenticationParameters: try bench.oauth2, tokenStore: MemoryTokenStore(), webViewPresenter: page))
            let discovery = SAPcpmsUserIdentityDiscovery(
                certificateDiscoveryParameters: try bench.parameters, sapURLSession: session)
            let task = Task { try await discovery.obtainUserIdentity() }
            await page.shown()
            task.cancel()
            do {
                _ = try await task.value
                return nil
            } catch {
                return error
            }
        }
    }
}

/// A page that reports when it is closed.
private final class ClosingPage: WebPresenter {
    let waiter = WaitingPresenter()
    let closed: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (closed, continuation) = AsyncStream.makeStream() }

    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        defer { continuation.yield() }
        return try await waiter.present(presentation)
    }
}
