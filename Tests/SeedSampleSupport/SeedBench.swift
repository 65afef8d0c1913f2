internal import Countersign
public import CountersignTesting
public import Foundation
public import SAPMobileServices
internal import SAPMobileServicesTesting

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The mock of SAP Mobile Services for one sample, with the values for the sample's placeholders.
public struct SeedBench: Sendable {
    /// The mock.
    public let mock: MockLandscape
    /// A session whose pages are shown to the user.
    public let sapURLSession: SAPURLSession
    /// The user of the session's pages and of web views.
    public let person: SeedPerson

    /// Runs a test.
    ///
    /// - Parameters:
    ///   - protection: The method that protects the resources.
    ///   - passcodes: Whether `orders` require a passcode, too.
    ///   - habit: The user's behavior.
    ///   - body: The test.
    public static func run(
        _ protection: String, passcodes: Bool = false, _ habit: SeedPerson.Habit = .fillsInForms,
        _ body: (SeedBench) async throws -> Void
    ) async throws {
        var options = MockOptions()
        options.protection = protection
        if passcodes { options.passcodes.resources = .prefix("/orders") }
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            let person = SeedPerson(habit, app: mock.authenticatorApp(for: "alice"))
            var configuration = SAPURLSession.Configuration()
            configuration.presenter = person
            let bench = SeedBench(mock: mock, sapURLSession: SAPURLSession(configuration: configuration), person: person)
            WKWebView.seat(person, before: mock.baseURL)
            defer {
                WKWebView.unseat(before: mock.baseURL)
                bench.sapURLSession.invalidateAndCancel()
            }
            try await body(bench)
        }
    }

    /// The settings of the application.
    public var settings: SAPcpmsSettingsParameters {
        SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.app")
    }

    /// The client that the mock has registered.
    public var oauth2: OAuth2AuthenticationParameters {
        get throws {
            guard let redirect = URL(string: "com.example.countersign://oauth2/callback") else { throw URLError(.badURL) }
            return OAuth2AuthenticationParameters(settingsParameters: settings, clientID: "countersign", redirectURL: redirect)
        }
    }

    /// The scheme by which the authenticator app opens this application. Each test has its own, because the process shares one
    /// dispatcher.
    public var scheme: String { "com.example.bench\(mock.baseURL.port ?? 0).xcallbackurl" }

    /// A resource that requires authentication.
    public var resourceURL: URL { mock.baseURL.appending(path: "orders") }

    /// An address of the mock.
    public func url(_ pathAndQuery: String) throws -> URL {
        guard let url = URL(string: mock.baseURL.absoluteString + pathAndQuery) else { throw URLError(.badURL) }
        return url
    }

    /// Gets the resource, and returns the user that it names.
    public func user(in session: SAPURLSession? = nil) async throws -> String {
        let (data, _) = try await (session ?? sapURLSession).data(from: resourceURL)
        return try JSONDecoder().decode(MockResource.self, from: data).user
    }

    /// Gets the resource, and returns the error; `nil` if it succeeds.
    public func error(in session: SAPURLSession) async -> (any Error)? {
        do {
            _ = try await user(in: session)
            return nil
        } catch {
            return error
        }
    }
}
