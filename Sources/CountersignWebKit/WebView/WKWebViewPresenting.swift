#if canImport(WebKit)
public import Countersign
public import WebKit

/// Shows and hides a web view of the application's own, for any login: one that ends in cookies, or one that ends at a redirect URL.
///
/// ```swift
/// final class LoginController: UIViewController, WKWebViewPresenting {
///     weak var delegate: (any WebViewPresenterDelegate)?
///     weak var webViewDelegate: (any WebViewNavigationDelegate)?
///     private let webView = WKWebView()
///
///     func presentWebView(completionHandler: @escaping (WKWebView?, (any Error)?) -> Void) {
///         present(WebViewController(webView), animated: true) { [webView] in completionHandler(webView, nil) }
///     }
///     func dismissWebView() { dismiss(animated: true) }
/// }
/// ```
///
/// All calls are on the main actor. The session's cookies are put into the web view's store before the page is loaded, and at the end the
/// session adopts all cookies of that store: give the web view a `WKWebsiteDataStore.nonPersistent()`, unless other web views should be
/// logged in by the same.
@preconcurrency public protocol WKWebViewPresenting: WebPresenter, AnyObject {
    /// Called when the user closes the page or loads it anew. The login that is shown sets it.
    @MainActor var delegate: (any WebViewPresenterDelegate)? { get set }
    /// Called for navigations and challenges that the login does not decide.
    @MainActor var webViewDelegate: (any WebViewNavigationDelegate)? { get set }
    /// The web view's delegate for panels and further windows.
    @MainActor var webViewUIDelegate: (any WebViewUIDelegate)? { get set }
    /// Shows a web view, and calls the handler once when it is shown, with the web view or an error.
    @MainActor func presentWebView(completionHandler: @escaping (WKWebView?, (any Error)?) -> Void)
    /// Hides the web view at the end of a login.
    @MainActor func dismissWebView()
    /// The user asks for the page once more.
    @MainActor func reloadWebView()
}

extension WKWebViewPresenting {
    /// `nil`: the login decides alone, and leaves the rest to the system.
    @MainActor public var webViewDelegate: (any WebViewNavigationDelegate)? {
        get { nil }
        set {}
    }
    /// `nil`: there are no panels, and a further window opens in the same web view.
    @MainActor public var webViewUIDelegate: (any WebViewUIDelegate)? {
        get { nil }
        set {}
    }
    /// Tells the delegate; the login then ends, as it cannot go on from a page that is loaded anew.
    @MainActor public func reloadWebView() { delegate?.didReloadWebView() }

    /// `true`.
    public var isEmbeddedWebView: Bool { true }
    /// `false`: it shows the page that it is given.
    public var choosesRedirectURL: Bool { false }

    /// Shows the page in the web view.
    ///
    /// - Throws: `PresentationFailure.dismissed` if the user closes it, `.reloaded` if the user loads it anew, `.background` if the application
    ///   is in the background, `.load` with a ``WebViewPresenterError`` or what the presenter gave; `CancellationError`.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        try await WebViewLogin.run(presentation, in: self)
    }
}
#endif
