// swift-format-ignore-file
// Between `// sample` and `// end` stands a sample of the seed, line by line; what it does not print is marked with `// ours`.
// `SeedSampleTests` compares.

import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SeedSampleSupport
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor
private final class S3AppDelegate: UIResponder, UIApplicationDelegate {
    // sample S3-AppDelegate: UserIdentityObserver initialization, a note
    func application(_ app: UIApplication, open url: URL, options: [UIApplicationOpenURLOptionsKey : Any] = [:]) -> Bool {
        OAuth2Authenticator.application(app, open: url, options: options)
        return true
    }
    // end

    /// What the system does when the login page sends the browser to the application.
    static func open(_ url: URL) {
        let delegate: UIApplicationDelegate = S3AppDelegate()
        _ = delegate.application(.shared, open: url, options: [:])
    }
}

extension Application {
    func s3Request(_ urlSessionForResourceURL: SAPURLSession) async -> Int? {
        let answer = Answer(of: Int?.self)
        // sample S3-Request: Start request to Resource URL
        let request = URLRequest(url: bench.resourceURL)
        let dataTask = urlSessionForResourceURL.dataTask(with: request) { data, response, error in
            // Handle the error and the response
            answer.give((response as? HTTPURLResponse)?.statusCode) // ours
        }
        dataTask.resume()
        // end
        return await answer.value ?? nil
    }
}

/// Keeps identities, as the seed sketches it.
private class S3Store: UserIdentityStoring, @unchecked Sendable {
    var identities: [URL?: Data] = [:]

    // sample S3-Storing: Implementing UserIdentityStoring protocol
    func store(identity: Data, for url: URL?) throws -> Void {
        // save the identity to a secure storage
        identities[url] = identity // ours
    }

    func identity(for url: URL?) throws -> Data? {
        // return the identity from the secure storage
        return identities[url] // ours
    }

    func delete(for url: URL?) throws {
        // delete the identity from the secure storage
        identities[url] = nil // ours
    }
    // end

    // The URL is optional in the sample, and is not in the declaration.
    func store(identity: Data, for url: URL) throws { try store(identity: identity, for: Optional(url)) }
    func identity(for url: URL) throws -> Data? { try identity(for: Optional(url)) }
    func delete(for url: URL) throws { try delete(for: Optional(url)) }
}

extension IdentitySeedBench {
    func s3Discovered(_ configurationDictionary: [String: Any], _ store: UserIdentityStoring) {
        // sample S3-Discovered: Convenience initializer with configuration from Discovery Service
        let userIdentityDiscoveryObserver = UserIdentityObserver(certificateDiscoveryConfiguration: configurationDictionary, identityStore: store)
        urlSessionForResourceURL.register(userIdentityDiscoveryObserver)
        // end
    }

    func s3Parameters(_ store: UserIdentityStoring) throws -> SAPcpmsUserIdentityConfigurationParameters {
        let (service, login) = (try parameters, try oauth2)
        // sample S3-Parameters: Convenience initializer if the configuration comes from other sources
        let configurationParameters = SAPcpmsUserIdentityConfigurationParameters(attributesEndpoint: service.attributesEndpoint, requestEndpoint: service.requestEndpoint, retireEndpoint: service.retireEndpoint, publicKeyPinSet: service.publicKeyPinSet)
        let oAuth2AuthenticationParameters = OAuth2AuthenticationParameters(authorizationEndpointURL: login.authorizationEndpointURL, clientID: login.clientID, redirectURL: login.redirectURL, tokenEndpointURL: login.tokenEndpointURL, requestingScopes: login.requestingScopes)
        let userIdentityDiscoveryObserver = UserIdentityObserver(userIdentityConfigurationParameters: configurationParameters, oAuth2AuthenticationParameters: oAuth2AuthenticationParameters, identityStore: store)
        urlSessionForResourceURL.register(userIdentityDiscoveryObserver)
        // end
        return configurationParameters
    }

    func s3Discovery(_ configurationParameters: SAPcpmsUserIdentityConfigurationParameters, _ store: UserIdentityStoring) {
        // sample S3-Discovery: Most customizable option
        let userIdentityDiscovery = SAPcpmsUserIdentityDiscovery(certificateDiscoveryParameters: configurationParameters, sapURLSession: urlSessionForUserIdentityDiscovery)
        let userIdentityDiscoveryObserver = UserIdentityObserver(userIdentityDiscovery: userIdentityDiscovery, identityStore: store)
        urlSessionForResourceURL.register(userIdentityDiscoveryObserver)
        // end
    }
}

// sample S3-JSON: The structure in the dictionary
private let s3JSON = """
    {
      "com.sap.mobilesecure.certificateService.attributesEndpoint":"",
      "com.sap.mobilesecure.certificateService.requestEndpoint":"",
      "com.sap.mobilesecure.certificateService.retireEndpoint":"",
      "com.sap.mobilesecure.certificateService.publicKeyPinSet":[],
      "com.sap.mobilesecure.certificateService.authType":{
        "type":"oauth",
        "authorizationEndpoint":"",
        "tokenEndpoint":"",
        "client_id":"",
        "redirect_uri":""
      }
    }
    """
// end

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct `S3 requests` {
    @Test func `S3-AppDelegate and S3-Request log in by a browser outside of the application`() async throws {
        try await SeedBench.run("OAuth2") { bench in
            let application = Application(bench)
            let browser = OutsideBrowser(bench)
            let presenter = DispatchedPresenter { page in await S3AppDelegate.open(try await browser.end(of: page)) }
            bench.sapURLSession.register(OAuth2Observer(authenticationParameters: try bench.oauth2, tokenStore: application, webViewPresenter: presenter))
            #expect(await application.s3Request(bench.sapURLSession) == 200)
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `S3-Discovered and S3-Storing get a certificate, and keep it`() async throws {
        try await IdentitySeedBench.run { bench in
            let store = S3Store()
            let dictionary = try JSONSerialization.jsonObject(with: bench.configuration) as? [String: Any]
            bench.s3Discovered(try #require(dictionary), store)
            #expect(try await bench.user == "alice")
            #expect(store.identities.count == 1)
        }
    }

    @Test func `S3-Parameters gets a certificate`() async throws {
        try await IdentitySeedBench.run { bench in
            _ = try bench.s3Parameters(S3Store())
            #expect(try await bench.user == "alice")
        }
    }

    @Test func `S3-Discovery gets a certificate`() async throws {
        try await IdentitySeedBench.run { bench in
            bench.s3Discovery(try bench.parameters, S3Store())
            #expect(try await bench.user == "alice")
        }
    }

    @Test func `S3-JSON has the keys that are read, the mock's own among them`() async throws {
        try await IdentitySeedBench.run { bench in
            let printed = try #require(try JSONSerialization.jsonObject(with: Data(s3JSON.utf8)) as? [String: Any])
            let filled = try #require(try JSONSerialization.jsonObject(with: bench.configuration) as? [String: Any])
            #expect(Set(printed.keys) == Set(filled.keys))
            let type = "com.sap.mobilesecure.certificateService.authType"
            let (printedType, filledType) = (printed[type] as? [String: Any], filled[type] as? [String: Any])
            #expect(printedType.map { Set($0.keys) } == filledType.map { Set($0.keys) })
            #expect(SAPcpmsUserIdentityConfigurationParameters(certificateDiscoveryConfiguration: printed) == nil)
        }
    }
}
