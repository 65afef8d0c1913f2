public import Countersign
public import Foundation

/// Shows a login outside of the application, and takes its answer from ``AppDelegateDispatcher``.
///
/// For logins that come back to an address of the application's own scheme, such as OAuth 2.0's authorization code (RFC 8252, section
/// 7.1): the page is opened in a browser that cannot be looked into, and the system opens the application with the answer.
///
/// ```swift
/// let presenter = DispatchedPresenter { page in try await SystemBrowser().open(page) }
/// ```
///
/// An answer with another `state` is none, so authenticators with one scheme are told apart. A page that the user closes cannot be
/// seen from here: cancel the authentication, or let its time run out.
public struct DispatchedPresenter: WebPresenter {
    /// Shows a page to the user, and returns when it is shown.
    public typealias Opener = @Sendable (URL) async throws -> Void

    private let opener: Opener

    /// Makes a presenter.
    ///
    /// - Parameter opener: Shows a page. What it throws ends the login. The URL belongs in no log.
    @preconcurrency public init(opener: @escaping Opener) {
        self.opener = opener
    }

    /// Opens the page and waits for the answer.
    ///
    /// - Throws: `PresentationFailure.load` with a ``DispatchedPresenterError`` or what the opener threw; `CancellationError`.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        guard let redirect = presentation.redirect, Origin(redirect.url) == nil else {
            throw PresentationFailure.load(DispatchedPresenterError.noAddressOfTheApplication)
        }
        let (answers, continuation) = AsyncStream<URL>.makeStream()
        let waiting = CallbackDesk.Waiting(
            accepts: { presentation.finish.accepts($0) && redirect.isAnswered(by: $0) },
            take: { (url, _) throws(CallbackRefusal) in continuation.yield(url) }, noteRefusal: { _ in })
        return try await CallbackDesk.shared.wait(waiting) {
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

/// Why a login cannot be shown outside of the application.
public enum DispatchedPresenterError: SecretFreeError, LocalizedError, Sendable, Hashable {
    /// The login does not come back to an address of the application's own scheme, and an answer would never arrive here.
    case noAddressOfTheApplication

    public var description: String {
        "The login does not come back to an address of the application's own scheme; show it in a web view."
    }
    public var errorDescription: String? { description }
}
