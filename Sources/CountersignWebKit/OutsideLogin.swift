#if canImport(WebKit)
internal import Countersign
internal import Foundation

/// One login in a system browser, which the application cannot inspect. It is the delegate of the presenter during the login.
@MainActor
final class OutsideLogin: WebViewPresenterDelegate {
    /// Delivers the response, or ends the login.
    nonisolated let answers: AsyncThrowingStream<URL, any Error>.Continuation
    private let stream: AsyncThrowingStream<URL, any Error>
    private weak var previousDelegate: (any WebViewPresenterDelegate)?
    /// Whether the user has closed the page.
    private(set) var isClosed = false

    init(previousDelegate: (any WebViewPresenterDelegate)?) throws(PresentationFailure) {
        guard !(previousDelegate is OutsideLogin) else { throw .load(WebViewPresenterError.busy) }
        (stream, answers) = AsyncThrowingStream<URL, any Error>.makeStream()
        self.previousDelegate = previousDelegate
    }

    /// The previous delegate, which is restored after the login.
    var delegate: (any WebViewPresenterDelegate)? { previousDelegate }

    /// Waits for the response.
    func answer() async throws -> URL {
        for try await url in stream { return url }
        throw CancellationError()
    }

    /// Called by a presenter when it has shown the page or failed to. A failure ends the login.
    nonisolated func note(shown: Bool, _ error: (any Error)?) {
        guard !shown else { return }
        answers.finish(throwing: error as? PresentationFailure ?? .load(error ?? WebViewPresenterError.notShown))
    }

    func didDismissWebView() {
        isClosed = true
        answers.finish(throwing: PresentationFailure.dismissed)
        previousDelegate?.didDismissWebView()
    }

    func didReloadWebView() {
        answers.finish(throwing: PresentationFailure.reloaded)
        previousDelegate?.didReloadWebView()
    }
}
#endif
