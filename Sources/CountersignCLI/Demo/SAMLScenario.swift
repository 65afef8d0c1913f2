import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// SAML, with the generated `SAMLObserver` on an `SAPURLSession`, as an application uses it.
struct SAMLScenario: DemoScenario {
    let method = "SAML"

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) -> any DemoClient {
        var configuration = SAPURLSession.Configuration()
        configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland")
        configuration.transport.maximumConnectionsPerHost = options.simultaneousRequests
        configuration.session.sharesAuthentications = options.sharesAuthentications
        configuration.session.eventObservers = [options.steps]
        let session = SAPURLSession(configuration: configuration)
        let settings = SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.demo")
        session.register(SAMLObserver(settingsParameters: settings))
        return SessionClient(session: session)
    }
}

/// An `SAPURLSession` as a client of the demo.
struct SessionClient: DemoClient {
    let session: SAPURLSession

    func probe(_ url: URL) async throws -> (status: Int, fields: [String: String]) {
        // A session without observers hands a challenge on as any other response.
        let session = SAPURLSession()
        defer { session.finishTasksAndInvalidate() }
        guard let response = try await session.data(from: url).1 as? HTTPURLResponse else { throw DemoError("no HTTP response") }
        let fields = response.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") }
        return (response.statusCode, Dictionary(fields) { first, _ in first })
    }

    func get(_ url: URL) async throws -> Data {
        try await session.data(from: url).0
    }

    func endSession() { session.endSession() }

    func close() async { await session.session.invalidate(cancelling: true) }
}
