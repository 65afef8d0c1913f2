#if canImport(WebKit)
internal import Countersign
internal import CountersignCookies
internal import Foundation
internal import WebKit

/// One login in a web view. It is the navigation delegate of the web view and the delegate of the presenter.
@MainActor
final class WebViewLogin: NSObject {
    private enum Event: Sendable {
        case shown(WKWebView)
        case finished(URL)
    }

    private let rule: NavigationRule
    private let events: AsyncThrowingStream<Event, any Error>.Continuation
    private weak var navigationDelegate: (any WebViewNavigationDelegate)?
    private weak var previousDelegate: (any WebViewPresenterDelegate)?
    /// The URL that the presenter itself has requested last.
    private var ownURL: URL?
    private var isClosed = false

    private init(
        _ finish: FinishRule, events: AsyncThrowingStream<Event, any Error>.Continuation,
        navigationDelegate: (any WebViewNavigationDelegate)?, previousDelegate: (any WebViewPresenterDelegate)?
    ) {
        rule = NavigationRule(finish: finish)
        self.events = events
        self.navigationDelegate = navigationDelegate
        self.previousDelegate = previousDelegate
    }

    static func run(
        _ presentation: WebPresentation, in presenter: any WKWebViewPresenting
    ) async throws -> WebPresentationResult {
        try await Foreground.require()
        guard !(presenter.delegate is WebViewLogin) else { throw PresentationFailure.load(WebViewPresenterError.busy) }
        let (stream, events) = AsyncThrowingStream<Event, any Error>.makeStream()
        let login = WebViewLogin(
            presentation.finish, events: events, navigationDelegate: presenter.webViewDelegate, previousDelegate: presenter.delegate
        )
        presenter.delegate = login
        defer { presenter.delegate = login.previousDelegate }
        defer { if !login.isClosed { presenter.dismissWebView() } }
        presenter.presentWebView(completionHandler: login.handler)
        var shown: (view: WKWebView, moving: Task<Void, Never>?)?
        defer { shown?.moving?.cancel() }
        for try await event in stream {
            switch event {
            case .shown(let view):
                guard shown == nil else { continue }
                shown = (view, await login.open(presentation, in: view, for: presenter))
            case .finished(let url):
                return WebPresentationResult(finishURL: url, cookies: await shown?.view.cookies ?? presentation.cookies)
            }
        }
        throw CancellationError()
    }

    /// The completion handler of the presenter. It is not isolated to the main actor, in case a presenter calls it on another
    /// thread.
    private var handler: @Sendable (WKWebView?, (any Error)?) -> Void {
        { [events] view, error in
            if let view {
                events.yield(.shown(view))
            } else {
                let failure = error as? PresentationFailure ?? .load(error ?? WebViewPresenterError.notShown)
                events.finish(throwing: failure)
            }
        }
    }

    /// Copies the session's cookies to the web view and loads the page, and then the URLs from the mover.
    private func open(
        _ presentation: WebPresentation, in view: WKWebView, for presenter: any WKWebViewPresenting
    ) async -> Task<Void, Never>? {
        view.navigationDelegate = self
        if let delegate = presenter.webViewUIDelegate { view.uiDelegate = delegate }
        let store = view.configuration.websiteDataStore.httpCookieStore
        for cookie in presentation.cookies.cookies.compactMap({ HTTPCookie.make($0) }) { await store.setCookie(cookie) }
        let urls = presentation.mover?.urls()
        if let form = presentation.form {
            load(URLRequest(posting: form), in: view)
        } else {
            load(URLRequest(url: presentation.url), in: view)
        }
        return urls.map { urls in
            Task { [weak self, weak view] in
                for await url in urls {
                    guard let self, let view else { return }
                    self.load(URLRequest(url: url), in: view)
                }
            }
        }
    }

    private func load(_ request: URLRequest, in view: WKWebView) {
        ownURL = request.url
        view.load(request)
    }

    /// Returns whether a verdict allows the navigation. Otherwise it ends the login.
    private func goesOn(_ verdict: NavigationRule.Verdict) -> Bool {
        switch verdict {
        case .goOn: return true
        case .finished(let url): events.yield(.finished(url))
        case .failed(let error): events.finish(throwing: PresentationFailure.load(error))
        }
        return false
    }
}

extension WebViewLogin: WebViewPresenterDelegate {
    func didDismissWebView() {
        isClosed = true
        events.finish(throwing: PresentationFailure.dismissed)
        previousDelegate?.didDismissWebView()
    }

    func didReloadWebView() {
        events.finish(throwing: PresentationFailure.reloaded)
        previousDelegate?.didReloadWebView()
    }
}

// The asynchronous forms of the methods are used, since their Objective-C selectors do not depend on an SDK's annotations of
// completion handlers.
extension WebViewLogin: WKNavigationDelegate {
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction
    ) async -> WKNavigationActionPolicy {
        let request = navigationAction.request
        let isForApplication = isLinkToApplication(navigationAction)
        // A request for a new window, which no delegate would open, is loaded in the same web view.
        guard navigationAction.targetFrame != nil || webView.uiDelegate != nil || isForApplication else {
            webView.load(request)
            return .cancel
        }
        if navigationAction.targetFrame?.isMainFrame ?? false, let url = request.url {
            let isOwn = NavigationRule.isSame(url, as: ownURL)
            if isOwn { ownURL = nil }
            let verdict = rule.verdict(onRequestTo: url, method: request.httpMethod ?? "GET", isOwn: isOwn)
            guard goesOn(verdict) else { return .cancel }
        }
        let policy = await navigationDelegate?.webView(webView, decidePolicyFor: navigationAction) ?? .allow
        return isForApplication ? .cancel : policy
    }

    private func isLinkToApplication(_ action: WKNavigationAction) -> Bool {
        guard action.navigationType == .linkActivated, let url = action.request.url, let scheme = url.scheme else { return false }
        return rule.isLinkToApplication(url, isLoadable: WKWebView.handlesURLScheme(scheme))
    }

    func webView(
        _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse
    ) async -> WKNavigationResponsePolicy {
        guard navigationResponse.isForMainFrame, let url = navigationResponse.response.url else { return .allow }
        let status = (navigationResponse.response as? HTTPURLResponse)?.statusCode
        let isHTML = ["text/html", "application/xhtml+xml"].contains(navigationResponse.response.mimeType?.lowercased())
        return goesOn(rule.verdict(onResponseFrom: url, status: status, isHTML: isHTML)) ? .allow : .cancel
    }

    func webView(
        _ webView: WKWebView, respondTo challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        await navigationDelegate?.webView(webView, respondTo: challenge) ?? (.performDefaultHandling, nil)
    }

    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) { navigationDelegate?.webViewDidLoadPage(webView) }

    func webView(_ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error) {
        let error = error as NSError
        let url = error.userInfo[NSURLErrorFailingURLErrorKey] as? URL
        _ = goesOn(rule.verdict(onFailure: error.domain, code: error.code, at: url ?? webView.url))
    }

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) { _ = goesOn(.failed(.webContentEnded)) }
}

extension WKWebView {
    /// All cookies of the web view's store.
    fileprivate var cookies: CookieJar.Snapshot {
        get async {
            let cookies = await configuration.websiteDataStore.httpCookieStore.allCookies()
            return CookieJar.Snapshot(cookies: cookies.map { Cookie($0) })
        }
    }
}
#endif
