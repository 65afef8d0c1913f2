#if canImport(WebKit)
/// Called by a presenter that shows a page, on what the user does with it.
///
/// While a login is shown, the login is the presenter's delegate, and passes the calls on to the delegate from before.
@preconcurrency public protocol WebViewPresenterDelegate: AnyObject, Sendable {
    /// The user closed the page. A presenter calls it when its view controller or window was closed, and not after `dismissWebView()`.
    @MainActor func didDismissWebView()
    /// The user loaded the page anew.
    @MainActor func didReloadWebView()
}

extension WebViewPresenterDelegate {
    /// Does nothing.
    @MainActor public func didReloadWebView() {}
}
#endif
