public import Countersign
public import Foundation

/// The reason why a presenter of this module could not show a login. It names methods and origins, and at most the origin of a URL.
public enum WebViewPresenterError: SecretFreeError, Sendable, Hashable {
    /// The presenter already shows another login.
    case busy
    /// There is no window or view controller to present a page.
    case noWindow
    /// The presenter returned neither a web view nor an error.
    case notShown
    /// A page could not be loaded. `code` is the error code in `domain`, usually `NSURLErrorDomain`.
    case loadFailed(origin: Origin?, domain: String, code: Int)
    /// A page is not HTML and its status is not a success.
    case status(Int, origin: Origin?)
    /// The web content process has ended.
    case webContentEnded
    /// The redirect URL has no private-use URI scheme of the application, so the redirect would never arrive.
    case redirectElsewhere(authenticationMethod: String)
    /// The system did not start the login. `code` is the error code in `domain`.
    case sessionFailed(domain: String, code: Int)
    /// The system refused the login before it showed the page, because the redirect URL has the scheme `https`, and its host is not
    /// among the application's associated domains.
    case sessionRefused
}

extension WebViewPresenterError {
    public var description: String {
        switch self {
        case .busy:
            "the presenter is showing another login; wait until it has ended, or give each authenticator a presenter of its own"
        case .noWindow:
            "there is no window to show the login in; set the presenter's view controller, or log in when the scene is active"
        case .notShown: "the presenter gave neither a web view nor an error"
        case .loadFailed(let origin, let domain, let code):
            "a page\(Self.place(origin)) could not be loaded (\(domain) \(code)); check the address and the network, and try again"
        case .status(let status, let origin): "the page\(Self.place(origin)) was answered with status \(status)"
        case .webContentEnded: "the process that shows the pages has ended; try again"
        case .redirectElsewhere(let method):
            """
            \(method) does not redirect to a URL with the application's own scheme; show it with WKWebViewPresenter, or register \
            such a redirect URL with the server and in the application's Info.plist
            """
        case .sessionFailed(let domain, let code): "the system did not start the login (\(domain) \(code))"
        case .sessionRefused:
            """
            the system refused the login; for a redirect URL with https, add its host to the application's associated domains, for \
            the service webcredentials, and name the application in the host's apple-app-site-association file
            """
        }
    }

    private static func place(_ origin: Origin?) -> String { origin.map { " of \($0)" } ?? "" }
}

extension WebViewPresenterError: PageFailure {
    /// The status of the page's response.
    public var status: Int? {
        guard case .status(let status, _) = self else { return nil }
        return status
    }
    /// The origin of the page.
    public var origin: Origin? {
        switch self {
        case .loadFailed(let origin, _, _), .status(_, let origin): origin
        default: nil
        }
    }
    /// The description; `nil` for a status, which is reported separately.
    public var explanation: String? { status == nil ? description : nil }
}

extension WebViewPresenterError: LocalizedError {
    public var errorDescription: String? { description }
}
