internal import Countersign
internal import CountersignTesting
public import Foundation
public import SAPMobileServices
internal import SAPMobileServicesTesting

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Two mocks for the samples about client certificates: one issues certificates, and the other demands them.
public struct IdentitySeedBench: Sendable {
    /// A session at the server that demands certificates. Its pages are shown to the user.
    public let urlSessionForResourceURL: SAPURLSession
    /// A session at the service that issues certificates, with an observer for its login.
    public let urlSessionForUserIdentityDiscovery: SAPURLSession
    /// A resource that demands a certificate.
    public let resourceURL: URL
    private let services: MockLandscape

    /// Runs a test.
    public static func run(_ body: (IdentitySeedBench) async throws -> Void) async throws {
        let authority = try MockCertificateAuthority()
        var options = MockOptions()
        options.protection = "UserIdentity"
        options.certificates = MockCertificateOptions(authority: authority)
        var serviceOptions = MockOptions()
        serviceOptions.protection = "OAuth2"
        serviceOptions.certificateDiscovery = MockCertificateDiscoveryOptions()
        serviceOptions.certificateDiscovery?.authority = authority
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { resource in
            try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: serviceOptions) { services in
                let person = SeedPerson(.fillsInForms, app: services.authenticatorApp(for: "alice"))
                var configuration = SAPURLSession.Configuration()
                configuration.presenter = person
                let session = SAPURLSession(configuration: configuration)
                configuration.transport.trustRoots = .pem(try authority.pem)
                let bench = IdentitySeedBench(
                    urlSessionForResourceURL: SAPURLSession(configuration: configuration),
                    urlSessionForUserIdentityDiscovery: session,
                    resourceURL: resource.baseURL.appending(path: "orders"), services: services)
                session.register(OAuth2Observer(authenticationParameters: try bench.oauth2, tokenStore: MemoryTokenStore()))
                try await body(bench)
                bench.urlSessionForResourceURL.invalidateAndCancel()
                session.invalidateAndCancel()
            }
        }
    }

    /// The dictionary of the configuration, as JSON.
    public var configuration: Data {
        get throws {
            guard let data = services.makeCertificateDiscoveryConfiguration() else { throw CocoaError(.coderReadCorrupt) }
            return data
        }
    }

    /// The addresses of the service.
    public var parameters: SAPcpmsUserIdentityConfigurationParameters {
        get throws {
            try SAPcpmsUserIdentityConfigurationParameters(
                discoveryServiceConfig: JSONSerialization.jsonObject(with: configuration))
        }
    }

    /// The parameters of the service's OAuth 2.0 client.
    public var oauth2: OAuth2AuthenticationParameters {
        get throws {
            guard let redirect = URL(string: "com.example.countersign://oauth2/callback") else { throw URLError(.badURL) }
            let settings = SAPcpmsSettingsParameters(backendURL: services.baseURL, applicationID: "com.example.app")
            return OAuth2AuthenticationParameters(settingsParameters: settings, clientID: "countersign", redirectURL: redirect)
        }
    }

    /// Gets the resource, and returns the user that it names.
    public var user: String {
        get async throws {
            let (data, _) = try await urlSessionForResourceURL.data(from: resourceURL)
            return try JSONDecoder().decode(MockResource.self, from: data).user
        }
    }
}
