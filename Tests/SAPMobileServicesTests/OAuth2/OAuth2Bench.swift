import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The mock of SAP Mobile Services with an application that uses the generated OAuth 2.0 client.
struct OAuth2Bench: Sendable {
    let mock: MockLandscape
    let store = MemoryTokenStore()
    let session: SAPURLSession
    let events = OAuth2Events()

    /// Runs a test against a mock with a session that has a presenter and no observer yet.
    static func run(
        signature: String? = nil, oauth2: @escaping @Sendable (inout MockOAuth2Options) -> Void = { _ in },
        presenter: (any WebPresenter)? = FormFillingPresenter(user: "alice", password: "wonderland"),
        _ body: (OAuth2Bench) async throws -> Void
    ) async throws {
        var options = MockOptions()
        options.protection = "OAuth2"
        options.oauth2 = oauth2
        options.signatures["OAuth2"] = signature
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            let bench = OAuth2Bench(mock: mock, presenter: presenter)
            do {
                try await body(bench)
            } catch {
                bench.session.invalidateAndCancel()
                throw error
            }
            bench.session.invalidateAndCancel()
        }
    }

    private init(mock: MockLandscape, presenter: (any WebPresenter)?) {
        self.mock = mock
        var configuration = SAPURLSession.Configuration()
        configuration.presenter = presenter
        configuration.transport.maximumConnectionsPerHost = 100
        configuration.session.eventObservers = [events]
        session = SAPURLSession(configuration: configuration)
    }

    var settings: SAPcpmsSettingsParameters {
        SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.app")
    }

    /// The client of the spec's examples, which the mock has registered.
    var parameters: OAuth2AuthenticationParameters {
        get throws {
            OAuth2AuthenticationParameters(
                settingsParameters: settings, clientID: "countersign",
                redirectURL: try #require(URL(string: "com.example.countersign://oauth2/callback")))
        }
    }

    /// The service of the spec's examples.
    var service: OAuth2ClientCredentialsAuthenticationParameters {
        get throws {
            try OAuth2ClientCredentialsAuthenticationParameters(
                settingsParameters: settings, name: "countersign-service", secret: "it's a s3cret: %&+/?")
        }
    }

    /// The URL under which the token is stored.
    var root: URL {
        get throws { try #require(URL(string: mock.baseURL.absoluteString + "/")) }
    }

    /// Registers an observer with the authorization code grant.
    func registerCode(_ change: (inout OAuth2AuthenticationParameters) -> Void = { _ in }) throws {
        var parameters = try parameters
        change(&parameters)
        session.register(OAuth2Observer(authenticationParameters: parameters, tokenStore: store))
    }

    /// Gets a resource, and returns the user that it names.
    func user(at path: String = "orders") async throws -> String {
        let (data, _) = try await session.data(from: mock.baseURL.appending(path: path))
        return try JSONDecoder().decode(MockResource.self, from: data).user
    }

    /// Sends a number of requests at once, which the server holds back until all have arrived.
    func users(_ count: Int) async -> [Result<String, any Error>] {
        mock.hold("/orders", until: count, limit: .seconds(300))
        return await withTaskGroup(of: Result<String, any Error>.self) { group in
            for _ in 0..<count {
                group.addTask { do { return .success(try await user()) } catch { return .failure(error) } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Sends requests like ``users(_:)``, with a token endpoint that answers only when all of them wait for its one response. A
    /// request that is challenged later would start another authentication.
    func usersWaiting(_ count: Int) async throws -> [Result<String, any Error>] {
        let gate = mock.hold(.path("/oauth2/api/v1/token"), until: .max, limit: .seconds(300))
        async let users = users(count)
        while !events.all.contains(.joined(waiters: count)), !gate.hasTimedOut { await Task.yield() }
        gate.open()
        #expect(!gate.hasTimedOut, "they should all wait for one answer")
        return await users
    }

    /// The counts of the authorization server.
    var counted: MockOAuth2Statistics { mock.statistics.oauth2 }

    /// Returns the error of a request; `nil` if it succeeds.
    func error(at path: String = "orders") async -> (any Error)? {
        do {
            _ = try await user(at: path)
            return nil
        } catch {
            return error
        }
    }
}

/// Records the events of a session.
final class OAuth2Events: SessionEventObserver {
    private let kinds = Mutex<[SessionEvent.Kind]>([])
    var all: [SessionEvent.Kind] { kinds.withLock { $0 } }
    func observe(_ event: SessionEvent) { kinds.withLock { $0.append(event.kind) } }
}
