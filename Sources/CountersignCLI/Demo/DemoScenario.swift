import Countersign
import CountersignTesting
import Foundation

/// A row of the demo.
protocol DemoShow: Sendable {
    /// What the row is called.
    var row: String { get }

    /// Runs what the row shows; what fails is in the row.
    ///
    /// - Parameters:
    ///   - landscape: The landscape whose methods have a mock in common.
    ///   - progress: Receives what is being done.
    func show(
        _ landscape: Landscape, _ options: DemoClientOptions, progress: @escaping @Sendable (String) -> Void
    ) async -> DemoRow
}

/// A method of a landscape that one mock plays: how a client of the generated module is made for it.
///
/// Everything else is the same for all these methods and is in ``DemoRun``.
protocol DemoScenario: DemoShow {
    /// The method's name in its spec.
    var method: String { get }

    /// What the mock landscape is made with.
    var mockOptions: MockOptions { get }

    /// The steps that answer the challenge.
    func steps(of method: MethodDescription) -> [MethodDescription.Step]
    /// The words of the steps that are run, those of what the application does included.
    func words(of method: MethodDescription) -> [String]
    /// How many authentications the servers of the mock have completed.
    func authentications(at mock: MockLandscape) -> Int
    /// Does what comes before the authentication that is shown.
    func prepare(_ mock: MockLandscape, _ client: any DemoClient, _ resource: URL) async throws
    /// Makes the client's credential worthless.
    func forget(_ mock: MockLandscape, _ client: any DemoClient) async throws
    /// A client with the method's generated observer, for the servers of the mock.
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

/// What a client of the demo is made with.
struct DemoClientOptions: Sendable {
    /// How many requests it has to be able to have under way at once.
    var simultaneousRequests: Int
    /// Whether simultaneous challenges share one authentication.
    var sharesAuthentications = true
    /// Records which steps are run.
    let steps = StepRecorder()
    /// Counts what is sent for them.
    let exchanges = ExchangeCounter()
}

/// A client of a generated module, reduced to what the demo does with it.
protocol DemoClient: Sendable {
    /// Sends a GET without answering challenges, and returns the status and the fields that come back.
    func probe(_ url: URL) async throws -> (status: Int, fields: [String: String])
    /// Sends a GET, answers what challenges come, and returns the body.
    func get(_ url: URL) async throws -> Data
    /// Ends the user's session.
    func endSession()
    /// Closes the connections.
    func close() async
}
