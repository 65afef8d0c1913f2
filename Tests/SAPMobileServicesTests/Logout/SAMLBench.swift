import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The mock of SAP Mobile Services with an application that uses the generated SAML client.
struct SAMLBench: Sendable {
    let mock: MockLandscape
    let session: SAPURLSession
    let settings: SAPcpmsSettingsParameters

    /// Runs a test with a session that has a SAML observer and a presenter.
    static func run(_ body: (SAMLBench) async throws -> Void) async throws {
        var options = MockOptions()
        options.protection = "SAML"
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            var configuration = SAPURLSession.Configuration()
            configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland")
            let bench = SAMLBench(
                mock: mock, session: SAPURLSession(configuration: configuration),
                settings: SAPcpmsSettingsParameters(
                    backendURL: mock.baseURL, applicationID: "com.example.app"))
            bench.session.register(SAMLObserver(settingsParameters: bench.settings))
            do {
                try await body(bench)
            } catch {
                bench.session.invalidateAndCancel()
                throw error
            }
            bench.session.invalidateAndCancel()
        }
    }

    /// Expects access to a resource, after a login if one is needed.
    func expectAccess() async throws {
        let (_, response) = try await session.data(from: mock.baseURL.appending(path: "orders"))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
}
