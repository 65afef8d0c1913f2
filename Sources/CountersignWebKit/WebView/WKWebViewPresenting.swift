#if canImport(WebKit)
public import Countersign
public import WebKit

/// Shows and dismisses a web view of the application, for any login: one that ends in cookies, or one with a redirect URL.
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
/// All calls are on the main actor. The session's cookies are copied to the web view's data store before the page is loaded, and at
/// the end the session adopts all cookies of that store. Use a `WKWebsiteDataStore.nonPersistent()`, unless other web views should
/// share the login. A page with a form, such as a logout page that receives a token of its provider, is requested with a `POST`.
@preconcurrency public protocol WKWebViewPresenting: WebPresenter, AnyObject {
    /// The delegate, called when the user closes or reloads the page. The current login sets it.
    @MainActor var delegate: (any WebViewPresenterDelegate)? { get set }
    /// The delegate for navigations and challenges that the login does not handle.
    @MainActor var webViewDelegate: (any WebViewNavigationDelegate)? { get set }
    /// The delegate for panels and additional windows.
    @MainActor var webViewUIDelegate: (any WebViewUIDelegate)? { get set }
    /// Shows a web view, and calls the handler once, with the web view when it is shown, or with an error.
    @MainActor func presentWebView(completionHandler: @escaping (WKWebView?, (any Error)?) -> Void)
    /// Dismisses the web view at the end of a login.
    @MainActor func dismissWebView()
    /// Called when the user reloads the page.
    @MainActor func reloadWebView()
}

extension WKWebViewPresenting {
    /// `nil`: the login handles what it needs, and the system handles the rest.
    @MainActor public var webViewDelegate: (any WebViewNavigationDelegate)? {
        get { nil }
        set {}
    }
    /// `nil`: there are no panels, and additional windows open in the same web view.
    @MainActor public var webViewUIDelegate: (any WebViewUIDelegate)? {
        get { nil }
        set {}
    }
    /// Notifies the delegate. The login then ends, since it cannot continue after a reload.
    @MainActor public func reloadWebView() { delegate?.didReloadWebView() }

    /// `true`.
    public var isEmbeddedWebView: Bool { true }
    /// `false`, since it shows the given page.
    public var choosesRedirectURL: Bool { false }

    /// Shows the page in the web view and waits for the finish URL.
    ///
    /// - Throws: `PresentationFailure.dismissed` if the user closes it, `.reloaded` if the user reloads it, `.background` if the
    ///   application is in the background, `.load` with a ``WebViewPresenterError`` or the presenter's error; `CancellationError`.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        try await WebViewLogin.run(presentation, in: self)
    }
}
#endif
