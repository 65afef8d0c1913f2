#if canImport(AuthenticationServices) && canImport(WebKit)
public import AuthenticationServices
public import Countersign
internal import Foundation

/// Shows and dismisses an `ASWebAuthenticationSession`, for logins with a redirect URL that the system passes to the
/// application: one with a private-use URI scheme, or with `https` and an associated domain.
///
/// Such a session cannot post a form. A page with a form, such as a logout page that receives a token of its provider, is opened by
/// its URL, without the values that only the form has.
@preconcurrency public protocol ASWebAuthenticationSessionPresenting: WebPresenter, AnyObject {
    /// The delegate, called when the user closes the page. The current login sets it.
    @MainActor var delegate: (any WebViewPresenterDelegate)? { get set }
    /// Creates and starts a session with a completion handler. Never log the URL.
    ///
    /// - Parameters:
    ///   - url: The page.
    ///   - sessionCompletionHandler: The session's handler, which may be called on any thread.
    ///   - completionHandler: Called once, with the session when it has started, or with an error.
    @MainActor func presentWebView(
        with url: URL, sessionCompletionHandler: @escaping ASWebAuthenticationSession.CompletionHandler,
        completionHandler: @escaping (ASWebAuthenticationSession?, (any Error)?) -> Void)
    /// Dismisses the page at the end of a login.
    @MainActor func dismissWebView()
    /// Called when the user reloads the page.
    @MainActor func reloadWebView()
}

extension ASWebAuthenticationSessionPresenting {
    /// Notifies the delegate. The login then ends.
    @MainActor public func reloadWebView() { delegate?.didReloadWebView() }

    /// Shows the page and waits for the redirect.
    ///
    /// - Throws: `PresentationFailure.dismissed` if the user closes it, `.background` if the application is in the background,
    ///   `.load` with a ``WebViewPresenterError`` or the presenter's error; `CancellationError`.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        guard let redirect = presentation.redirect, Origin(redirect.url)?.scheme != "http" else {
            throw PresentationFailure.load(
                WebViewPresenterError.redirectElsewhere(authenticationMethod: presentation.authenticationMethod))
        }
        return try await show(presentation)
    }

    @MainActor private func show(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        try await Foreground.require()
        let login = try OutsideLogin(previousDelegate: delegate)
        delegate = login
        defer { delegate = login.delegate }
        let answers = login.answers
        // The closure is not isolated to the main actor, because the system calls it on any thread.
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
    /// Converts the error of a session that ended without a URL.
    fileprivate init(endOfSession error: (any Error)?) {
        let isCancellation = (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin
        self.init(endOfSession: error as NSError?, isCancellation: isCancellation)
    }
}
#endif
