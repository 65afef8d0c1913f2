#if canImport(WebKit)
/// Receives the user's actions on a page of a presenter.
///
/// While a login is shown, the login is the presenter's delegate and forwards the calls to the previous delegate.
@preconcurrency public protocol WebViewPresenterDelegate: AnyObject, Sendable {
    /// Called when the user closed the page. A presenter calls it when its view controller or window was closed, and not after
    /// `dismissWebView()`.
    @MainActor func didDismissWebView()
    /// Called when the user reloaded the page.
    @MainActor func didReloadWebView()
}

extension WebViewPresenterDelegate {
    /// Does nothing.
    @MainActor public func didReloadWebView() {}
}
#endif
