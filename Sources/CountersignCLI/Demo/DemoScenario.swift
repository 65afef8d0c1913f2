import Countersign
import CountersignTesting
import Foundation

/// A row of the demo.
protocol DemoShow: Sendable {
    /// The name of the row.
    var row: String { get }

    /// Runs the demo of the row. Failures are recorded in the row.
    ///
    /// - Parameters:
    ///   - landscape: The landscape whose methods share one mock.
    ///   - progress: Called with a description of the current activity.
    func show(
        _ landscape: Landscape, _ options: DemoClientOptions, progress: @escaping @Sendable (String) -> Void
    ) async -> DemoRow
}

/// A method of a landscape that is played by one mock. It creates a client of the generated module for the method.
///
/// Everything else is the same for all these methods and is in ``DemoRun``.
protocol DemoScenario: DemoShow {
    /// The method's name in its spec.
    var method: String { get }

    /// The options of the mock landscape.
    var mockOptions: MockOptions { get }

    /// Returns the steps that answer the challenge.
    func steps(of method: MethodDescription) -> [MethodDescription.Step]
    /// Returns the keywords of the steps that are run, including those of the application.
    func words(of method: MethodDescription) -> [String]
    /// Returns the number of authentications that the servers of the mock have completed.
    func authentications(at mock: MockLandscape) -> Int
    /// Prepares the client for the authentication that is shown, for example by an earlier login.
    func prepare(_ mock: MockLandscape, _ client: any DemoClient, _ resource: URL) async throws
    /// Invalidates the client's credential.
    func forget(_ mock: MockLandscape, _ client: any DemoClient) async throws
    /// Returns a client with the method's generated observer, for the servers of the mock.
    func makeClient(for mock: MockLandscape, options: DemoClientOptions) throws -> any DemoClient
}

extension DemoScenario {
    func show(
        _ landscape: Landscape, _ options: DemoClientOptions, progress: @escaping @Sendable (String) -> Void
    ) async -> DemoRow {
        await DemoRun(landscape: landscape, scenario: self, options: options, progress: progress).row()
    }

    var row: String { method }
    var mockOptions: MockOptions { MockOptions() }
    func steps(of method: MethodDescription) -> [MethodDescription.Step] { method.authenticate }
    func words(of method: MethodDescription) -> [String] { steps(of: method).map(\.word) }
    func authentications(at mock: MockLandscape) -> Int { mock.statistics.logins }
    func prepare(_ mock: MockLandscape, _ client: any DemoClient, _ resource: URL) async throws {}
    func forget(_ mock: MockLandscape, _ client: any DemoClient) async throws { client.endSession() }
}

/// The options of a client of the demo.
struct DemoClientOptions: Sendable {
    /// The number of requests that the client must be able to send at once.
    var simultaneousRequests: Int
    /// Whether simultaneous challenges share one authentication.
    var sharesAuthentications = true
    /// Records the steps that are run.
    let steps = StepRecorder()
    /// Counts the requests that are sent.
    let exchanges = ExchangeCounter()
}

/// A client of a generated module, reduced to what the demo does with it.
protocol DemoClient: Sendable {
    /// Sends a GET request without answering challenges, and returns the status code and the header fields of the response.
    func probe(_ url: URL) async throws -> (status: Int, fields: [String: String])
    /// Sends a GET request, answers its challenges, and returns the body.
    func get(_ url: URL) async throws -> Data
    /// Ends the user's session.
    func endSession()
    /// Closes the connections.
    func close() async
}
