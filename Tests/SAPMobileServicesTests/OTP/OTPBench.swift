import Countersign
import CountersignTesting
import Foundation
import Logging
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The mock of SAP Mobile Services with an application that logs in by two factors.
struct OTPBench: Sendable {
    /// The method before the passcode.
    enum FirstFactor: String, Sendable, CaseIterable {
        case SAML, OAuth2
    }

    let mock: MockLandscape
    let session: SAPURLSession
    let presenter: TwoFactorPresenter
    let log: MemoryLog
    /// The URL scheme by which the authenticator app opens this application, different for each bench.
    let scheme: String

    /// Runs a test against a mock whose resources need both factors, with observers for both on a session.
    static func run(
        _ first: FirstFactor = .SAML, _ person: TwoFactorPresenter.Person = .types,
        otp: ((SAPcpmsSettingsParameters) -> OTPObserver)? = nil, _ body: (OTPBench) async throws -> Void
    ) async throws {
        var options = MockOptions()
        options.protection = first.rawValue
        options.passcodes.resources = .prefix("/orders")
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            let bench = OTPBench(mock: mock, person: person)
            switch first {
            case .SAML: bench.session.register(SAMLObserver(settingsParameters: bench.settings))
            case .OAuth2:
                let parameters = OAuth2AuthenticationParameters(
                    settingsParameters: bench.settings, clientID: "countersign",
                    redirectURL: try #require(URL(string: "com.example.countersign://oauth2/callback")))
                bench.session.register(OAuth2Observer(authenticationParameters: parameters, tokenStore: MemoryTokenStore()))
            }
            let observer = otp?(bench.settings) ?? OTPObserver(settingsParameters: bench.settings)
            // The dispatcher is shared by the process, and tests run in parallel.
            (observer.authenticator as? OTPAuthenticator)?.callbackScheme = bench.scheme
            bench.session.register(observer)
            do {
                try await body(bench)
            } catch {
                bench.session.invalidateAndCancel()
                throw error
            }
            bench.session.invalidateAndCancel()
        }
    }

    private init(mock: MockLandscape, person: TwoFactorPresenter.Person) {
        self.mock = mock
        presenter = TwoFactorPresenter(person, app: mock.authenticatorApp(for: "alice"))
        log = MemoryLog()
        scheme = "com.example.bench\(mock.baseURL.port ?? 0).xcallbackurl"
        var configuration = SAPURLSession.Configuration()
        configuration.presenter = presenter
        configuration.transport.maximumConnectionsPerHost = 100
        configuration.session.logger = log.logger
        session = SAPURLSession(configuration: configuration)
    }

    var settings: SAPcpmsSettingsParameters {
        SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.app")
    }

    var app: MockAuthenticatorApp { mock.authenticatorApp(for: "alice") }

    /// The counts of passcode logins.
    var counted: MockPasscodeStatistics { mock.statistics.passcodes }

    /// Returns how often the first factor was requested.
    func firstLogins(_ first: FirstFactor) -> Int {
        switch first {
        case .SAML: mock.statistics.logins
        case .OAuth2: mock.statistics.oauth2.tokenAnswers[.authorizationCode] ?? 0
        }
    }

    /// Gets a resource, and returns the user that it names.
    func user(at path: String = "orders") async throws -> String {
        let (data, _) = try await session.data(from: mock.baseURL.appending(path: path))
        return try JSONDecoder().decode(MockResource.self, from: data).user
    }

    /// Expects a resource of the user that the presenter logs in.
    func expectAlice(at path: String = "orders", sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let user = try await user(at: path)
        #expect(user == "alice", sourceLocation: sourceLocation)
    }

    /// Returns the error of a request; `nil` if it succeeds.
    func error() async -> (any Error)? {
        do {
            _ = try await user()
            return nil
        } catch {
            return error
        }
    }
}

/// Logs in by user name and password, and handles the passcode page as the test demands.
final class TwoFactorPresenter: WebPresenter {
    /// The user's behavior at the passcode page.
    enum Person: Sendable {
        /// Types the code that the app shows.
        case types
        /// Types a wrong code.
        case guesses
        /// Waits for the app.
        case waits
        /// Waits in a browser that another application cannot navigate.
        case waitsInAForeignBrowser
        case fails(PresentationFailure)
        /// Types the code, then calls a function, for example to make the server forget the login.
        case typesAndThen(@Sendable () -> Void)
    }

    private let person: Person
    private let app: MockAuthenticatorApp
    private let (shown, shows) = AsyncStream<Void>.makeStream()

    init(_ person: Person, app: MockAuthenticatorApp) {
        self.person = person
        self.app = app
    }

    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        let login = ["j_username": "alice", "j_password": "wonderland"]
        guard presentation.authenticationMethod == "OTP" else {
            return try await FormFillingPresenter(values: login).present(presentation)
        }
        switch person {
        case .types: return try await type(app.code, into: presentation)
        case .guesses: return try await type("000000x", into: presentation)
        case .waits:
            // The first request is sent after the presenter has subscribed to the mover's URLs.
            let watched = presentation.watched { [shows] in shows.yield() }
            return try await FormFillingPresenter(values: [:]).present(watched)
        case .waitsInAForeignBrowser:
            shows.yield()
            try await Task.sleep(for: .seconds(60))
            throw PresentationFailure.dismissed
        case .fails(let failure): throw failure
        case .typesAndThen(let act):
            defer { act() }
            return try await type(app.code, into: presentation)
        }
    }

    /// Waits until a page for a passcode is shown.
    func pageIsShown() async {
        for await _ in shown { return }
    }

    private func type(_ code: String, into presentation: WebPresentation) async throws -> WebPresentationResult {
        try await FormFillingPresenter(values: ["j_passcode": code]).present(presentation)
    }
}

/// Keeps the log lines.
final class MemoryLog: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    var logger: Logger { Logger(label: "bench") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: MemoryLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.kept.withLock { $0.append("\(event.level): \(event.message) \(event.metadata ?? [:])") }
        }
    }
}

/// Holds a mock that is created after the code that uses it.
final class Weakly: Sendable {
    private let mock = Mutex<MockLandscape?>(nil)

    var value: MockLandscape? {
        get { mock.withLock { $0 } }
        set { mock.withLock { $0 = newValue } }
    }
}
