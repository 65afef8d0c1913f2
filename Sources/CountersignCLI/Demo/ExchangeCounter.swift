import Countersign
import CountersignAsyncHTTPClient
import SAPMobileServices

/// Counts the requests that sessions of the demo send. Requests that a browser would send are not counted, because their number
/// depends on the page and not on the client.
final class ExchangeCounter: Sendable {
    /// Whether the current task sends requests for a browser.
    @TaskLocal private static var isBrowsing = false

    private let counter = Counter()

    /// Returns the number of requests since the last call.
    func take() -> Int {
        defer { counter.reset() }
        return counter.count
    }

    /// Returns a transport whose requests are counted.
    func transport(_ base: any HTTPTransport) -> any HTTPTransport { CountedTransport(base: base, counter: counter) }

    /// Returns a session for token requests, which are counted.
    func tokenSession() -> SAPURLSession { SAPURLSession(transport: transport(AsyncHTTPClientTransport())) }

    /// Returns a presenter whose requests are not counted.
    static func presenter(_ base: any WebPresenter) -> any WebPresenter { Browser(base: base) }

    private struct CountedTransport: HTTPTransport {
        let base: any HTTPTransport
        let counter: Counter

        func send(_ request: SessionRequest) async throws -> SessionResponse {
            if !ExchangeCounter.isBrowsing { counter.add() }
            return try await base.send(request)
        }

        func shutdown() async throws { try await base.shutdown() }
    }

    private struct Browser: WebPresenter {
        let base: any WebPresenter

        var isEmbeddedWebView: Bool { base.isEmbeddedWebView }
        var choosesRedirectURL: Bool { base.choosesRedirectURL }

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            try await ExchangeCounter.$isBrowsing.withValue(true) { try await base.present(presentation) }
        }
    }
}
