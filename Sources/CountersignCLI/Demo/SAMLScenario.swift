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
        let settings = SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.demo")
        return SessionClient(options) { SAMLObserver(settingsParameters: settings) }
    }
}

/// An `SAPURLSession` as a client of the demo.
struct SessionClient: DemoClient {
    let session: SAPURLSession

    /// Makes a session with an observer, for a person who fills in forms.
    init(_ options: DemoClientOptions, observer: () -> any SAPURLSessionObserving) {
        var configuration = SAPURLSession.Configuration()
        configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland")
        configuration.transport.maximumConnectionsPerHost = options.simultaneousRequests
        configuration.session.sharesAuthentications = options.sharesAuthentications
        configuration.session.eventObservers = [options.steps]
        session = SAPURLSession(configuration: configuration)
        session.register(observer())
    }

    func probe(_ url: URL) async throws -> (status: Int, fields: [String: String]) {
        // A session without observers hands a challenge on as any other response.
        let session = SAPURLSession()
        defer { session.finishTasksAndInvalidate() }
        return try await Self.answer(to: url, in: session)
    }

    /// Sends a GET, answers the challenges that are known here, and returns the status and the fields that come back.
    func answer(to url: URL) async throws -> (status: Int, fields: [String: String]) { try await Self.answer(to: url, in: session) }

    private static func answer(to url: URL, in session: SAPURLSession) async throws -> (status: Int, fields: [String: String]) {
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
