#if canImport(AuthenticationServices) && canImport(WebKit)
public import AuthenticationServices
internal import Countersign
public import Foundation
#if canImport(UIKit)
public import UIKit
#elseif canImport(AppKit)
internal import AppKit
#endif

/// Shows logins in an `ASWebAuthenticationSession`, where the user may already be logged in.
@MainActor
public final class ASWebAuthenticationSessionPresenter: NSObject, ASWebAuthenticationSessionPresenting {
    public weak var delegate: (any WebViewPresenterDelegate)?
    /// The scheme of the redirect URL; `nil` for the schemes in the application's `Info.plist`. Not used with a ``callbackURL``.
    public var callbackURLScheme: String?
    /// The redirect URL with the scheme `https`; `nil` for one with a scheme of the application's own.
    ///
    /// The system passes such a URL only to an application whose associated domains include the host, for the service
    /// `webcredentials`. No other application can receive it.
    public var callbackURL: URL?
    /// Whether the page starts without the cookies of the user's browser.
    public var prefersEphemeralWebBrowserSession = false
    /// The current session; `nil` if no login is shown.
    public private(set) var authenticationSession: ASWebAuthenticationSession?

    #if canImport(UIKit)
    private weak var chosenViewController: UIViewController?
    /// The view controller that presents the page, not retained: by default the topmost one.
    public var webViewPresentingViewController: UIViewController? {
        get { chosenViewController ?? UIApplication.shared.topmostViewController }
        set { chosenViewController = newValue }
    }
    #endif

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - delegate: Called when the user closes a page.
    ///   - callbackURLScheme: The scheme of the redirect URL; `nil` for the schemes in the application's `Info.plist`.
    public init(delegate: (any WebViewPresenterDelegate)? = nil, callbackURLScheme: String?) {
        self.delegate = delegate
        self.callbackURLScheme = callbackURLScheme
    }

    /// Creates a presenter for a redirect URL with the scheme `https`.
    ///
    /// - Parameters:
    ///   - delegate: Called when the user closes a page.
    ///   - callbackURL: The redirect URL. Its host is among the application's associated domains, for `webcredentials`.
    public convenience init(delegate: (any WebViewPresenterDelegate)? = nil, callbackURL: URL) {
        self.init(delegate: delegate, callbackURLScheme: nil)
        self.callbackURL = callbackURL
    }

    public func presentWebView(
        with url: URL, sessionCompletionHandler: @escaping ASWebAuthenticationSession.CompletionHandler,
        completionHandler: @escaping (ASWebAuthenticationSession?, (any Error)?) -> Void
    ) {
        guard authenticationSession == nil else { return completionHandler(nil, WebViewPresenterError.busy) }
        guard anchor != nil else { return completionHandler(nil, WebViewPresenterError.noWindow) }
        let session =
            if let callbackURL, callbackURL.scheme?.lowercased() == "https", let host = callbackURL.host() {
                ASWebAuthenticationSession(
                    url: url, callback: .https(host: host, path: callbackURL.path().isEmpty ? "/" : callbackURL.path()),
                    completionHandler: sessionCompletionHandler)
            } else if let callbackURLScheme = callbackURL?.scheme ?? callbackURLScheme {
                ASWebAuthenticationSession(
                    url: url, callback: .customScheme(callbackURLScheme), completionHandler: sessionCompletionHandler)
            } else {
                ASWebAuthenticationSession(url: url, callbackURLScheme: nil, completionHandler: sessionCompletionHandler)
            }
        session.presentationContextProvider = self
        session.prefersEphemeralWebBrowserSession = prefersEphemeralWebBrowserSession
        guard session.start() else {
            return completionHandler(
                nil, WebViewPresenterError.sessionFailed(domain: ASWebAuthenticationSessionError.errorDomain, code: 0))
        }
        authenticationSession = session
        completionHandler(session, nil)
    }

    public func dismissWebView() {
        authenticationSession?.cancel()
        authenticationSession = nil
    }

    /// The window that presents the page.
    private var anchor: ASPresentationAnchor? {
        #if canImport(UIKit)
        webViewPresentingViewController?.viewIfLoaded?.window ?? UIApplication.shared.activeWindow
        #else
        NSApplication.shared.keyWindow ?? NSApplication.shared.windows.first
        #endif
    }
}

extension ASWebAuthenticationSessionPresenter: ASWebAuthenticationPresentationContextProviding {
    /// Returns the window that presents the page. The system calls it on the main thread.
    public nonisolated func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
        // The protocol is isolated to the main actor in some of Apple's SDKs and not in others. This satisfies both.
        MainActor.assumeIsolated { anchor ?? ASPresentationAnchor() }
    }
}
#endif
