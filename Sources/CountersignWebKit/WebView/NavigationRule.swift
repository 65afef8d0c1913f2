internal import Countersign
internal import Foundation

/// The rule that determines which navigation of a web view ends a login. It depends only on the navigation and has no state.
///
/// A `GET` navigation to the finish URL ends the login before the URL is loaded, since it may have a scheme that cannot be
/// loaded, or a port where nothing listens. A form must be submitted first, and pages that the presenter itself requests must be
/// loaded: these end the login when the server has responded.
struct NavigationRule: Sendable {
    enum Verdict: Sendable, Hashable {
        case goOn
        /// The login has ended at the URL.
        case finished(URL)
        /// The login cannot continue.
        case failed(WebViewPresenterError)
    }

    let finish: FinishRule

    /// Returns the verdict on a request before it is sent.
    ///
    /// - Parameters:
    ///   - url: The URL to which the main frame navigates.
    ///   - method: The HTTP method of the request.
    ///   - isOwn: Whether the presenter itself has requested the navigation.
    func verdict(onRequestTo url: URL, method: String, isOwn: Bool) -> Verdict {
        guard !isOwn, method == "GET", finish.accepts(url) else { return .goOn }
        return .finished(url)
    }

    /// Returns whether a link that the user has followed is for another application, such as an authenticator. A web view cannot load
    /// it, and would end the login with an error.
    ///
    /// - Parameters:
    ///   - url: The URL of the link.
    ///   - isLoadable: Whether the web view can load URLs with this scheme.
    func isLinkToApplication(_ url: URL, isLoadable: Bool) -> Bool { !isLoadable && !finish.accepts(url) }

    /// Returns whether a navigation is to the URL that the presenter itself has requested. A web view may write the URL in another
    /// way: with the host in lower case, without the scheme's default port, and with a slash as an empty path.
    static func isSame(_ url: URL, as own: URL?) -> Bool {
        guard let own else { return false }
        return url == own || FinishRule(own, match: .exact).accepts(url)
    }

    /// Returns the verdict on a response before it is shown.
    ///
    /// - Parameters:
    ///   - url: The URL of the main frame.
    ///   - status: The status code; `nil` if the response is not HTTP.
    ///   - isHTML: Whether the response is HTML, which a user can read.
    func verdict(onResponseFrom url: URL, status: Int?, isHTML: Bool) -> Verdict {
        guard let status, status >= 400 else { return finish.accepts(url) ? .finished(url) : .goOn }
        return isHTML ? .goOn : .failed(.status(status, origin: Origin(url)))
    }

    /// Returns the verdict on a failed navigation. A navigation that was replaced by another one, or ended by this rule, is no
    /// failure.
    func verdict(onFailure domain: String, code: Int, at url: URL?) -> Verdict {
        let isReplaced =
            (domain == NSURLErrorDomain && code == NSURLErrorCancelled) || (domain == "WebKitErrorDomain" && code == 102)
        return isReplaced ? .goOn : .failed(.loadFailed(origin: url.flatMap { Origin($0) }, domain: domain, code: code))
    }
}

extension NavigationRule: RedactedDescription {}
extension NavigationRule.Verdict: RedactedDescription {}
