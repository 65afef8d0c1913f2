// An application for iOS as its developer writes it, with what the module has in public alone: type-checked by `.ci/apple`, never run.

import AuthenticationServices
import SAPMobileServices
import SafariServices
import UIKit
import WebKit

// sample S4-Delegates
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]) -> Bool {
        return AppDelegateDispatcher.application(app, open: url, options: options)
    }
}

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        SceneDelegateDispatcher.scene(scene, openURLContexts: URLContexts)
    }
}
// end

// sample S4-Presenter, in a class of UIKit
class MyViewController: UIViewController, WKWebViewPresenting {
    weak var delegate: WebViewPresenterDelegate?
    weak var webViewDelegate: SAPWKNavigationDelegate?

    func presentWebView(completionHandler: @escaping (WKWebView?, Error?) -> Void) {
        completionHandler(WKWebView(), nil)
    }

    func dismissWebView() {
        dismiss(animated: true)
    }
}
// end

// The same in a class of no actor.
final class MyWebViewPresenter: WKWebViewPresenting, @unchecked Sendable {
    weak var delegate: WebViewPresenterDelegate?
    weak var webViewDelegate: SAPWKNavigationDelegate?

    public func presentWebView(completionHandler: @escaping (WKWebView?, Error?) -> Void) {
        completionHandler(WKWebView(), nil)
    }

    func dismissWebView() {}
}

final class MySafariPresenter: SFSafariViewControllerPresenting, @unchecked Sendable {
    weak var delegate: WebViewPresenterDelegate?

    func presentWebView(with url: URL, completionHandler: @escaping (SFSafariViewController?, Error?) -> Void) {
        completionHandler(SFSafariViewController(url: url), nil)
    }

    func dismissWebView() {}
}

final class MySessionPresenter: ASWebAuthenticationSessionPresenting, @unchecked Sendable {
    weak var delegate: WebViewPresenterDelegate?

    func presentWebView(
        with url: URL, sessionCompletionHandler: @escaping ASWebAuthenticationSession.CompletionHandler,
        completionHandler: @escaping (ASWebAuthenticationSession?, Error?) -> Void
    ) {
        let session = ASWebAuthenticationSession(url: url, callbackURLScheme: "app", completionHandler: sessionCompletionHandler)
        completionHandler(session.start() ? session : nil, nil)
    }

    func dismissWebView() {}
}

final class Challenges: SAPWKNavigationDelegate, @unchecked Sendable {
    func webView(
        _ webView: WKWebView, respondTo challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        (.rejectProtectionSpace, nil)
    }
}

// From any actor.
func authenticators(_ settings: SAPcpmsSettingsParameters, _ parameters: OAuth2AuthenticationParameters) -> [Any] {
    [
        SAMLAuthenticator(settingsParameters: settings, webViewPresenter: WKWebViewPresenter()),
        OAuth2Authenticator(
            authenticationParameters: parameters, urlSession: SAPURLSession(), webViewPresenter: SFSafariViewControllerPresenter()),
        OTPAuthenticator(settingsParameters: settings, webViewPresenter: MyWebViewPresenter()),
    ]
}

@MainActor
func presenters(_ delegate: WebViewPresenterDelegate, _ controller: UIViewController) -> [WebViewPresenting] {
    let safari = SFSafariViewControllerPresenter(delegate: delegate)
    safari.webViewPresentingViewController = controller
    _ = safari.safariViewController
    let session = ASWebAuthenticationSessionPresenter(delegate: delegate, callbackURLScheme: "com.company.application.oauth")
    session.callbackURLScheme = nil
    session.prefersEphemeralWebBrowserSession = true
    session.reloadWebView()
    let web = WKWebViewPresenter(delegate: delegate, webViewDelegate: Challenges())
    web.webViewPresentingViewController = controller
    web.reloadWebView()
    delegate.didDismissWebView()
    delegate.didReloadWebView()
    return [safari, session, web, MyViewController(), MySafariPresenter(), MySessionPresenter()]
}
