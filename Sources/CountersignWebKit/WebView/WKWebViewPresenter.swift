#if canImport(WebKit)
public import Foundation
public import WebKit
#if canImport(UIKit)
public import UIKit
#endif

/// Shows logins in a web view: in a sheet on iOS, in a window on macOS.
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.presenter = WKWebViewPresenter()
/// ```
///
/// Each login has a separate website data store with the session's cookies, which is deleted afterwards.
@MainActor
public final class WKWebViewPresenter: NSObject, WKWebViewPresenting {
    public weak var delegate: (any WebViewPresenterDelegate)?
    public weak var webViewDelegate: (any WebViewNavigationDelegate)?
    public weak var webViewUIDelegate: (any WebViewUIDelegate)?
    /// The current web view; `nil` if no login is shown.
    public private(set) var webView: WKWebView?
    private var screen: WebViewScreen?

    #if canImport(UIKit)
    private weak var chosenViewController: UIViewController?
    /// The view controller that presents the web view, not retained: by default the topmost one.
    public var webViewPresentingViewController: UIViewController? {
        get { chosenViewController ?? UIApplication.shared.topmostViewController }
        set { chosenViewController = newValue }
    }
    #endif

    /// Creates a presenter without delegates.
    public nonisolated override init() { super.init() }

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - delegate: Called when the user closes or reloads a page.
    ///   - webViewDelegate: Called for navigations and challenges that the login does not handle.
    public convenience init(
        delegate: (any WebViewPresenterDelegate)?, webViewDelegate: (any WebViewNavigationDelegate)? = nil
    ) {
        self.init()
        self.delegate = delegate
        self.webViewDelegate = webViewDelegate
    }

    public func presentWebView(completionHandler: @escaping (WKWebView?, (any Error)?) -> Void) {
        guard screen == nil else { return completionHandler(nil, WebViewPresenterError.busy) }
        #if canImport(UIKit)
        guard let controller = webViewPresentingViewController else {
            return completionHandler(nil, WebViewPresenterError.noWindow)
        }
        #endif
        let configuration = WKWebViewConfiguration()
        configuration.websiteDataStore = .nonPersistent()
        let view = WKWebView(frame: .zero, configuration: configuration)
        let screen = WebViewScreen(
            showing: view,
            onClose: { [weak self] in
                self?.forget()
                self?.delegate?.didDismissWebView()
            }, onReload: { [weak self] in self?.reloadWebView() })
        #if canImport(UIKit)
        screen.show(over: controller)
        #else
        screen.show()
        #endif
        self.screen = screen
        webView = view
        completionHandler(view, nil)
    }

    public func dismissWebView() {
        screen?.hide()
        forget()
    }

    private func forget() {
        screen = nil
        webView = nil
    }
}
#endif
