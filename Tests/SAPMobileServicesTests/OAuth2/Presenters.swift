import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import Synchronization

/// Shows nothing and waits until its task is cancelled.
final class WaitingPresenter: WebPresenter {
    private let (stream, continuation) = AsyncStream<Void>.makeStream()

    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        continuation.yield()
        try await Task.sleep(for: .seconds(60))
        throw PresentationFailure.dismissed
    }

    /// Waits until a page is to be shown.
    func shown() async {
        for await _ in stream { return }
    }
}

/// Logs alice in, records the pages and the final URLs of all logins, and returns results that a test may change.
final class RecordingPresenter: WebPresenter {
    private struct State {
        var pages: [URL] = []
        var answers: [URL] = []
        var change: @Sendable (WebPresentationResult) -> WebPresentationResult = { $0 }
    }

    private let presenter = FormFillingPresenter(user: "alice", password: "wonderland")
    private let state = Mutex(State())

    /// The pages that were to be shown.
    var pages: [URL] { state.withLock(\.pages) }
    /// The final URLs of the logins.
    var answers: [URL] { state.withLock(\.answers) }

    /// Changes the results of all later logins.
    func change(_ change: @escaping @Sendable (WebPresentationResult) -> WebPresentationResult) {
        state.withLock { $0.change = change }
    }

    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        state.withLock { $0.pages.append(presentation.url) }
        let result = try await presenter.present(presentation)
        let change = state.withLock { state in
            state.answers.append(result.finishURL)
            return state.change
        }
        return change(result)
    }
}

extension URL {
    /// The value of a parameter of the query, decoded as in a form.
    func parameter(_ name: String) -> String? {
        let items = URLComponents(url: self, resolvingAgainstBaseURL: false)?.percentEncodedQueryItems
        return items?.first { $0.name == name }?.value?.replacing("+", with: " ").removingPercentEncoding
    }
}

/// A browser that fills in forms and follows every redirect, as the user's own does.
final class FormFillingBrowser: Sendable {
    private let session = SAPURLSession()
    private let visits = Mutex<[Task<Void, Never>]>([])

    deinit { session.invalidateAndCancel() }

    func open(_ page: URL) async throws {
        guard let nowhere = URL(string: "https://nowhere.example/") else { return }
        let presentation = WebPresentation(
            authenticationMethod: "Test", url: page, finish: FinishRule(nowhere, match: .path), jar: CookieJar(),
            transport: session.session.transport)
        let visit = Task {
            // The visit ends at the page that says that the window can be closed, because that page leads nowhere.
            _ = try? await FormFillingPresenter(user: "alice", password: "wonderland").present(presentation)
        }
        visits.withLock { $0.append(visit) }
    }
}
