#if canImport(AuthenticationServices) && canImport(WebKit)
public import AuthenticationServices
public import Countersign
internal import Foundation

/// Shows and hides an `ASWebAuthenticationSession`, for logins that come back to an address of the application's own scheme.
@preconcurrency public protocol ASWebAuthenticationSessionPresenting: WebPresenter, AnyObject {
    /// Called when the user closes the page. The login that is shown sets it.
    @MainActor var delegate: (any WebViewPresenterDelegate)? { get set }
    /// Makes a session with a completion handler and starts it. The URL belongs in no log.
    ///
    /// - Parameters:
    ///   - url: The page.
    ///   - sessionCompletionHandler: The session's own handler, which may be called on any thread.
    ///   - completionHandler: Called once when the session has started, with it, or with an error.
    @MainActor func presentWebView(
        with url: URL, sessionCompletionHandler: @escaping ASWebAuthenticationSession.CompletionHandler,
        completionHandler: @escaping (ASWebAuthenticationSession?, (any Error)?) -> Void)
    /// Hides the page at the end of a login.
    @MainActor func dismissWebView()
    /// The user asks for the page once more.
    @MainActor func reloadWebView()
}

extension ASWebAuthenticationSessionPresenting {
    /// Tells the delegate; the login then ends.
    @MainActor public func reloadWebView() { delegate?.didReloadWebView() }

    /// Shows the page and waits for the answer.
    ///
    /// - Throws: `PresentationFailure.dismissed` if the user closes it, `.background` if the application is in the background, `.load` with a
    ///   ``WebViewPresenterError`` or what the presenter gave; `CancellationError`.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        guard let redirect = presentation.redirect, Origin(redirect.url)?.scheme != "http" else {
            throw PresentationFailure.load(
                WebViewPresenterError.redirectElsewhere(authenticationMethod: presentation.authenticationMethod))
        }
        return try await show(presentation)
    }

    @MainActor private func show(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        try Foreground.require()
        let login = try OutsideLogin(previousDelegate: delegate)
        delegate = login
        defer { delegate = login.delegate }
        let answers = login.answers
        // Not bound to the main actor: the system calls it where it likes.
        let ended: @Sendable (URL?, (any Error)?) -> Void = { url, error in
            if let url {
                answers.yield(url)
            } else {
                answers.finish(throwing: PresentationFailure(endOfSession: error))
            }
        }
        let note: @Sendable (ASWebAuthenticationSession?, (any Error)?) -> Void = { login.note(shown: $0 != nil, $1) }
        defer { if !login.isClosed { dismissWebView() } }
        presentWebView(with: presentation.url, sessionCompletionHandler: ended, completionHandler: note)
        return WebPresentationResult(finishURL: try await login.answer(), cookies: presentation.cookies)
    }
}

extension PresentationFailure {
    /// What the end of a session without a URL is.
    fileprivate init(endOfSession error: (any Error)?) {
        if let error = error as? ASWebAuthenticationSessionError, error.code == .canceledLogin {
            self = .dismissed
        } else {
            let error = error as NSError?
            self = .load(WebViewPresenterError.sessionFailed(domain: error?.domain ?? "", code: error?.code ?? 0))
        }
    }
}
#endif
