import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import SAPMobileServices
import Synchronization

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

/// SAML after a logout at the server, which removes the login from the client and the server.
struct LogoutScenario: DemoScenario {
    let method = "SAML"
    let row = "SAML, logout"

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) -> any DemoClient {
        SAMLScenario().makeClient(for: mock, options: options)
    }

    func forget(_ mock: MockLandscape, _ client: any DemoClient) async throws {
        guard let client = client as? SessionClient else { return client.endSession() }
        let settings = SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.demo")
        try await client.session.logout(settingsParameters: settings, version: .v2)
        guard mock.statistics.logouts == 1 else { throw DemoError("the server received no logout request") }
    }
}

/// An `SAPURLSession` as a client of the demo.
final class SessionClient: DemoClient {
    let session: SAPURLSession
    let exchanges: ExchangeCounter
    private let observer: Mutex<any SAPURLSessionObserving>
    private let trustRoots: AsyncHTTPClientTransport.TrustRoots

    /// Creates a session with an observer, for a user who fills in forms.
    ///
    /// - Parameter authority: The authority of the servers' certificates, as PEM; `nil` for the system's authorities.
    init(
        _ options: DemoClientOptions, trusting authority: [UInt8]? = nil, observer makeObserver: () -> any SAPURLSessionObserving
    ) {
        let observer = makeObserver()
        exchanges = options.exchanges
        var configuration = SAPURLSession.Configuration()
        trustRoots = authority.map { .pem($0) } ?? .system
        configuration.transport.trustRoots = trustRoots
        configuration.presenter = ExchangeCounter.presenter(FormFillingPresenter(user: "alice", password: "wonderland"))
        configuration.transport.maximumConnectionsPerHost = options.simultaneousRequests
        configuration.session.sharesAuthentications = options.sharesAuthentications
        configuration.session.eventObservers = [options.steps]
        session = SAPURLSession(
            configuration: configuration,
            transport: options.exchanges.transport(AsyncHTTPClientTransport(configuration: configuration.transport)))
        session.register(observer)
        self.observer = Mutex(observer)
    }

    /// Replaces the session's observer, including its credential, by another one.
    func replaceObserver(with next: any SAPURLSessionObserving) {
        let before = observer.withLock { observer in
            defer { observer = next }
            return observer
        }
        session.unregister(before)
        session.register(next)
    }

    func probe(_ url: URL) async throws -> (status: Int, fields: [String: String]) {
        // A session without observers returns a challenge like any other response.
        var configuration = SAPURLSession.Configuration()
        configuration.transport.trustRoots = trustRoots
        let session = SAPURLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        return try await Self.answer(to: url, in: session)
    }

    /// Sends a GET request, answers the challenges that the observers recognise, and returns the status code and the header
    /// fields of the response.
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
