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

    /// Waits until something is to be shown.
    func shown() async {
        for await _ in stream { return }
    }
}

/// A browser that fills in forms and goes on wherever it is sent, as the user's own does.
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
            // It ends at the page that says that the window can be closed, which leads nowhere.
            _ = try? await FormFillingPresenter(user: "alice", password: "wonderland").present(presentation)
        }
        visits.withLock { $0.append(visit) }
    }
}
