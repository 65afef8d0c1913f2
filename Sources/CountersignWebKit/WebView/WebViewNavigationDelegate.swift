#if canImport(WebKit)
public import WebKit

/// Called by the navigation of a web view that shows a login, for what the login itself does not decide.
@preconcurrency public protocol WebViewNavigationDelegate: AnyObject, Sendable {
    /// Decides on a navigation that does not end the login.
    @MainActor func webView(_ webView: WKWebView, decidePolicyFor action: WKNavigationAction) async -> WKNavigationActionPolicy
    /// Answers a challenge of a page's server, such as for a client certificate or for a password of HTTP Basic.
    @MainActor func webView(
        _ webView: WKWebView, respondTo challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
    /// A page was loaded. Its URL belongs in no log.
    @MainActor func webViewDidLoadPage(_ webView: WKWebView)
}

extension WebViewNavigationDelegate {
    /// Allows it.
    @MainActor public func webView(
        _ webView: WKWebView, decidePolicyFor action: WKNavigationAction
    ) async -> WKNavigationActionPolicy { .allow }
    /// Leaves it to the system.
    @MainActor public func webView(
        _ webView: WKWebView, respondTo challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }
    /// Does nothing.
    @MainActor public func webViewDidLoadPage(_ webView: WKWebView) {}
}

/// A web view's delegate for panels and further windows.
@preconcurrency public protocol WebViewUIDelegate: WKUIDelegate, Sendable {}
#endif
