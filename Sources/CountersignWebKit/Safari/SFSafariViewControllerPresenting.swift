#if canImport(SafariServices) && canImport(UIKit) && canImport(WebKit)
public import Countersign
public import Foundation
public import SafariServices

/// Shows and dismisses an `SFSafariViewController`, for logins with a redirect URL of a private-use URI scheme.
///
/// The system opens the application with the redirect URL, which must be passed to `CallbackRouter.shared`; the dispatchers of a
/// landscape do so.
///
/// The view controller cannot post a form. A page with a form, such as a logout page that receives a token of its provider, is opened
/// by its URL, without the values that only the form has.
@preconcurrency public protocol SFSafariViewControllerPresenting: WebPresenter, AnyObject {
    /// The delegate, called when the user closes the page. The current login sets it.
    @MainActor var delegate: (any WebViewPresenterDelegate)? { get set }
    /// Shows a page, and calls the handler once, with the view controller when it is shown, or with an error. Never log the URL.
    @MainActor func presentWebView(
        with url: URL, completionHandler: @escaping (SFSafariViewController?, (any Error)?) -> Void)
    /// Dismisses the page at the end of a login.
    @MainActor func dismissWebView()
}

extension SFSafariViewControllerPresenting {
    /// Shows the page and waits for the redirect.
    ///
    /// - Throws: `PresentationFailure.dismissed` if the user closes it, `.background` if the application is in the background,
    ///   `.load` with a ``WebViewPresenterError`` or the presenter's error; `CancellationError`.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        guard let redirect = presentation.redirect, Origin(redirect.url) == nil else {
            throw PresentationFailure.load(
                WebViewPresenterError.redirectElsewhere(authenticationMethod: presentation.authenticationMethod))
        }
        let login = try await begin()
        let answers = login.answers
        let waiting = CallbackRouter.Waiting(
            accepts: { presentation.finish.accepts($0) && redirect.isAnswered(by: $0) },
            take: { (url, _) throws(CallbackRefusal) in answers.yield(url) }, noteRefusal: { _ in })
        let finishURL = try await CallbackRouter.shared.wait(waiting) { try await show(presentation.url, for: login) }
        return WebPresentationResult(finishURL: finishURL, cookies: presentation.cookies)
    }

    @MainActor private func begin() async throws -> OutsideLogin {
        try await Foreground.require()
        let login = try OutsideLogin(previousDelegate: delegate)
        delegate = login
        return login
    }

    @MainActor private func show(_ page: URL, for login: OutsideLogin) async throws -> URL {
        defer { delegate = login.delegate }
        defer { if !login.isClosed { dismissWebView() } }
        let note: @Sendable (SFSafariViewController?, (any Error)?) -> Void = { login.note(shown: $0 != nil, $1) }
        presentWebView(with: page, completionHandler: note)
        return try await login.answer()
    }
}
#endif
