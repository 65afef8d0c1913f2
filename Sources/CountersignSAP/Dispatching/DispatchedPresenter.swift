public import Countersign
public import Foundation

/// Shows a login in an external browser, and receives the redirect from ``AppDelegateDispatcher``.
///
/// It supports logins with a private-use URI scheme as redirect URL (RFC 8252, section 7.1), such as OAuth 2.0's authorization code
/// grant: the page is opened in a browser outside of the application, and the system opens the application with the redirect URL.
///
/// ```swift
/// let presenter = DispatchedPresenter { page in try await SystemBrowser().open(page) }
/// ```
///
/// A page with a form is opened by its URL, without the values that only the form has.
///
/// A redirect with another `state` is ignored, so authenticators can share a scheme. A closed page cannot be detected: cancel the
/// authentication, or wait for its time limit.
public struct DispatchedPresenter: WebPresenter {
    /// Shows a page to the user, and returns when it is shown.
    public typealias Opener = @Sendable (URL) async throws -> Void

    private let opener: Opener

    /// Creates a presenter.
    ///
    /// - Parameter opener: Shows a page. An error that it throws ends the login. Never log the URL.
    @preconcurrency public init(opener: @escaping Opener) {
        self.opener = opener
    }

    /// Opens the page and waits for the redirect.
    ///
    /// - Throws: `PresentationFailure.load` with a ``DispatchedPresenterError`` or the error of the opener; `CancellationError`.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        guard let redirect = presentation.redirect, Origin(redirect.url) == nil else {
            throw PresentationFailure.load(DispatchedPresenterError.noAddressOfTheApplication)
        }
        let (answers, continuation) = AsyncStream<URL>.makeStream()
        let waiting = CallbackRouter.Waiting(
            accepts: { presentation.finish.accepts($0) && redirect.isAnswered(by: $0) },
            take: { (url, _) throws(CallbackRefusal) in continuation.yield(url) }, noteRefusal: { _ in })
        return try await CallbackRouter.shared.wait(waiting) {
            do {
                try await opener(presentation.url)
            } catch {
                throw Task.isCancelled ? CancellationError() : PresentationFailure.load(error)
            }
            for await url in answers { return WebPresentationResult(finishURL: url, cookies: presentation.cookies) }
            throw CancellationError()
        }
    }
}

/// The reason why a login cannot be shown outside of the application.
public enum DispatchedPresenterError: SecretFreeError, LocalizedError, Sendable, Hashable {
    /// The redirect URL has no private-use URI scheme of the application, so the redirect would never arrive.
    case noAddressOfTheApplication

    public var description: String {
        "The login does not redirect to a URL with the application's own scheme; show it in a web view."
    }
    public var errorDescription: String? { description }
}
