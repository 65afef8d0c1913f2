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

/// The mock of SAP Mobile Services, and an application whose requests and logins fail.
struct ErrorBench: Sendable {
    let mock: MockLandscape
    let session: SAPURLSession
    private let recorder: Recorder

    /// Runs a scenario against a mock whose resources are protected by a method.
    static func run(
        _ method: String, presenter: @Sendable (MockLandscape) -> (any WebPresenter)? = { _ in person },
        options change: (inout MockOptions) -> Void = { _ in }, _ scenario: (ErrorBench) async throws -> Ending
    ) async throws -> Ending {
        var options = MockOptions()
        options.protection = method
        change(&options)
        return try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            let bench = ErrorBench(mock: mock, presenter: presenter(mock))
            do {
                let ending = try await scenario(bench)
                await bench.session.session.invalidate(cancelling: true)
                return ending
            } catch {
                await bench.session.session.invalidate(cancelling: true)
                throw error
            }
        }
    }

    /// A user who logs in.
    static var person: any WebPresenter { FormFillingPresenter(user: "alice", password: "wonderland") }

    private init(mock: MockLandscape, presenter: (any WebPresenter)?) {
        self.mock = mock
        recorder = Recorder()
        var configuration = SAPURLSession.Configuration()
        configuration.presenter = presenter
        configuration.session.eventObservers = [recorder]
        session = SAPURLSession(configuration: configuration)
    }

    var settings: SAPcpmsSettingsParameters {
        SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.app")
    }

    /// The server's origin, as texts name it.
    var origin: String { mock.baseURL.absoluteString }

    /// Sends a request, and returns its error. Its URL has a query that no text may show.
    func request() async throws -> (any Error)? {
        let url = mock.baseURL.appending(path: "orders").appending(queryItems: [URLQueryItem(name: "key", value: "c4n4ry")])
        return await Self.error { _ = try await session.data(from: url) }
    }

    /// Returns the error of an operation; `nil` if it succeeds.
    static func error(of work: () async throws -> Void) async -> (any Error)? {
        do {
            try await work()
            return nil
        } catch {
            return error
        }
    }

    /// The result of a login that no request caused.
    func end(_ error: (any Error)?, naming names: String...) -> Ending {
        Ending(error: error, names: names, secrets: secrets, events: recorder.events)
    }

    /// The result of a request that was challenged with a status code.
    func end(_ error: (any Error)?, challengedWith status: Int, naming names: String...) -> Ending {
        Ending(
            error: error, names: names, secrets: secrets, trace: .init(origin: Origin(mock.baseURL), status: status),
            events: recorder.events)
    }

    /// The long cookie values that the servers have set.
    private var secrets: [String] { session.cookieStorage.cookies.map(\.value).filter { $0.count > 7 } }

    private final class Recorder: SessionEventObserver {
        private let told = Mutex<[SessionEvent]>([])
        var events: [SessionEvent] { told.withLock { $0 } }
        func observe(_ event: SessionEvent) { told.withLock { $0.append(event) } }
    }
}

/// A presenter that fails without showing a page.
struct FailingPresenter: WebPresenter {
    let failure: PresentationFailure
    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult { throw failure }
}
