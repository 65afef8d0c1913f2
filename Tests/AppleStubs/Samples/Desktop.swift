// An application for macOS as its developer writes it, with what the module has in public alone: type-checked by `.ci/apple`, never run.

import AuthenticationServices
import SAPMobileServices
import WebKit

final class WindowPresenter: WKWebViewPresenting, @unchecked Sendable {
    weak var delegate: WebViewPresenterDelegate?
    weak var webViewDelegate: SAPWKNavigationDelegate?

    func presentWebView(completionHandler: @escaping (WKWebView?, Error?) -> Void) {
        completionHandler(WKWebView(), nil)
    }

    func dismissWebView() {}
}

@MainActor
func presenters(callback: URL) -> [WebViewPresenting] {
    [
        WindowPresenter(), WKWebViewPresenter(), ASWebAuthenticationSessionPresenter(callbackURLScheme: "app"),
        ASWebAuthenticationSessionPresenter(callbackURL: callback),
    ]
}
