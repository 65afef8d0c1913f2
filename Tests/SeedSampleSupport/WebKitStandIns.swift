// The presenters of the seeds, which need Apple's web views: as much of them as samples name. A web view that is shown in a sample is one
// before which the person of its test sits.

#if !canImport(WebKit)
public import Countersign
internal import Foundation
internal import Synchronization

/// Is told what becomes of a page.
public protocol WebViewPresenterDelegate: AnyObject {}

/// Is asked by a web view where it may go.
public protocol SAPWKNavigationDelegate: AnyObject {}

/// A web view.
public final class WKWebView: Sendable {
    private static let people = Mutex<[String: any WebPresenter]>([:])

    /// Makes one with nobody before it yet.
    public init() {}

    /// Whoever opens a page of this server in a web view is this person.
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

/// Shows and hides a web view of the application's own.
public protocol WKWebViewPresenting: WebPresenter, AnyObject {
    /// Is told when the person closes the page.
    var delegate: (any WebViewPresenterDelegate)? { get set }
    /// Is asked by the web view where it may go.
    var webViewDelegate: (any SAPWKNavigationDelegate)? { get set }
    /// Shows a web view.
    func presentWebView(completionHandler: @escaping (WKWebView?, (any Error)?) -> Void)
    /// Hides it.
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
