internal import Countersign
internal import SAPMobileServices
internal import CountersignTesting
public import Foundation

/// A browser outside of the application, whose user logs in; the system opens the application with where it ends.
public struct OutsideBrowser: Sendable {
    private let transport: any HTTPTransport

    /// Makes a browser that reaches the bench's server.
    public init(_ bench: SeedBench) { transport = bench.sapURLSession.session.transport }

    /// Logs in at a page, and returns the address of the application that it leads to.
    public func end(of page: URL) async throws -> URL {
        guard let end = URL(string: "com.example.countersign://oauth2/callback") else { throw URLError(.badURL) }
        let presentation = WebPresentation(
            authenticationMethod: "Browser", url: page, finish: FinishRule(end, match: .path), jar: CookieJar(),
            transport: transport)
        return try await FormFillingPresenter(user: "alice", password: "wonderland").present(presentation).finishURL
    }
}
