// The seeds' presenters, which need Apple's web views: the parts that samples use. The user of a test handles the pages of a web
// view.

#if !canImport(WebKit)
public import Countersign
internal import Foundation
internal import Synchronization

/// Receives the events of a page.
public protocol WebViewPresenterDelegate: AnyObject {}

/// Decides on the navigation of a web view.
public protocol SAPWKNavigationDelegate: AnyObject {}

/// A web view.
public final class WKWebView: Sendable {
    private static let people = Mutex<[String: any WebPresenter]>([:])

    /// Makes a web view without a user.
    public init() {}

    /// Sets the user of all web views that open a page of this server.
    static func seat(_ person: any WebPresenter, before server: URL) { people.withLock { $0[authority(of: server)] = person } }

    static func unseat(before server: URL) { people.withLock { $0[authority(of: server)] = nil } }

    func load(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        guard let person = Self.people.withLock({ $0[Self.authority(of: presentation.url)] }) else {
            throw PresentationFailure.dismissed
        }
        return try await person.present(presentation)
    }

    private static func authority(of url: URL) -> String { "\(url.host() ?? ""):\(url.port ?? 0)" }
}

/// Shows and hides an application's own web view.
public protocol WKWebViewPresenting: WebPresenter, AnyObject {
    /// Receives the event that the user closes the page.
    var delegate: (any WebViewPresenterDelegate)? { get set }
    /// Decides on the navigation of the web view.
    var webViewDelegate: (any SAPWKNavigationDelegate)? { get set }
    /// Shows a web view.
    func presentWebView(completionHandler: @escaping (WKWebView?, (any Error)?) -> Void)
    /// Hides the web view.
    func dismissWebView()
}

extension WKWebViewPresenting {
    public var isEmbeddedWebView: Bool { true }

    /// Shows the page in the web view.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        let view: WKWebView = try await withCheckedThrowingContinuation { continuation in
            presentWebView { view, error in
                if let view {
                    continuation.resume(returning: view)
                } else {
                    continuation.resume(throwing: PresentationFailure.load(error ?? PresentationFailure.dismissed))
                }
            }
        }
        defer { dismissWebView() }
        return try await view.load(presentation)
    }
}

/// The SDK's own presenter of web views.
public final class WKWebViewPresenter: WKWebViewPresenting, @unchecked Sendable {
    // Unchecked: samples set neither delegate.
    public weak var delegate: (any WebViewPresenterDelegate)?
    public weak var webViewDelegate: (any SAPWKNavigationDelegate)?

    /// Makes a presenter.
    public init() {}

    public func presentWebView(completionHandler: @escaping (WKWebView?, (any Error)?) -> Void) {
        completionHandler(WKWebView(), nil)
    }

    public func dismissWebView() {}
}
#endif
