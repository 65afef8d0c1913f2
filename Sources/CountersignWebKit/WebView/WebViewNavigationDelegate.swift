#if canImport(WebKit)
public import WebKit

/// Handles the navigation of a web view that shows a login, as far as the login itself does not.
@preconcurrency public protocol WebViewNavigationDelegate: AnyObject, Sendable {
    /// Decides on a navigation that does not end the login.
    ///
    /// The web view never loads a link that it cannot load, such as one to an authenticator app. This method can open that app, with
    /// `UIApplication.open`; only for a `navigationType` of `linkActivated`, since a page could otherwise open apps without the user.
    @MainActor func webView(_ webView: WKWebView, decidePolicyFor action: WKNavigationAction) async -> WKNavigationActionPolicy
    /// Answers a challenge of a page's server, for example for a client certificate or HTTP Basic.
    @MainActor func webView(
        _ webView: WKWebView, respondTo challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
    /// Called when a page was loaded. Never log its URL.
    @MainActor func webViewDidLoadPage(_ webView: WKWebView)
}

extension WebViewNavigationDelegate {
    /// Allows the navigation.
    @MainActor public func webView(
        _ webView: WKWebView, decidePolicyFor action: WKNavigationAction
    ) async -> WKNavigationActionPolicy { .allow }
    /// Uses the system's default handling.
    @MainActor public func webView(
        _ webView: WKWebView, respondTo challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }
    /// Does nothing.
    @MainActor public func webViewDidLoadPage(_ webView: WKWebView) {}
}

/// The delegate of a web view for panels and additional windows.
@preconcurrency public protocol WebViewUIDelegate: WKUIDelegate, Sendable {}
#endif
