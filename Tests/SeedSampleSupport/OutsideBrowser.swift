internal import Countersign
internal import SAPMobileServices
internal import CountersignTesting
public import Foundation

/// A browser outside the application, whose user logs in. The system then opens the application with the final URL.
public struct OutsideBrowser: Sendable {
    private let transport: any HTTPTransport

    /// Makes a browser that reaches the bench's server.
    public init(_ bench: SeedBench) { transport = bench.sapURLSession.session.transport }

    /// Logs in at a page, and returns the URL of the application to which it redirects.
    public func end(of page: URL) async throws -> URL {
        guard let end = URL(string: "com.example.countersign://oauth2/callback") else { throw URLError(.badURL) }
        let presentation = WebPresentation(
            authenticationMethod: "Browser", url: page, finish: FinishRule(end, match: .path), jar: CookieJar(),
            transport: transport)
        return try await FormFillingPresenter(user: "alice", password: "wonderland").present(presentation).finishURL
    }
}
