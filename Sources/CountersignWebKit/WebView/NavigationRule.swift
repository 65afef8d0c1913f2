internal import Countersign
internal import Foundation

/// Which navigation of a web view ends a login. It decides by the navigation alone, as a browser's network log would show it.
///
/// A browser that is sent to the finish URL by `GET` is there, and the URL is not loaded: it may have a scheme that no page has, or lead to a
/// port where nothing listens. A form that is sent there has to arrive, and so do pages that the presenter itself asks for: these end the
/// login when the server has answered.
struct NavigationRule: Sendable {
    enum Verdict: Sendable, Hashable {
        case goOn
        /// The login has ended at the URL.
        case finished(URL)
        /// The login cannot go on.
        case failed(WebViewPresenterError)
    }

    let finish: FinishRule

    /// Decides on a request before it is sent.
    ///
    /// - Parameters:
    ///   - url: Where the main frame goes.
    ///   - method: The request's method.
    ///   - isOwn: Whether the presenter has asked for it.
    func verdict(onRequestTo url: URL, method: String, isOwn: Bool) -> Verdict {
        guard !isOwn, method == "GET", finish.accepts(url) else { return .goOn }
        return .finished(url)
    }

    /// Decides on a response before it is shown.
    ///
    /// - Parameters:
    ///   - url: Where the main frame is.
    ///   - status: The response's status; `nil` if it is none of HTTP.
    ///   - isHTML: Whether it is a page, which a user can read.
    func verdict(onResponseFrom url: URL, status: Int?, isHTML: Bool) -> Verdict {
        guard let status, status >= 400 else { return finish.accepts(url) ? .finished(url) : .goOn }
        return isHTML ? .goOn : .failed(.status(status, origin: Origin(url)))
    }

    /// Decides on a navigation that has failed. One that another took the place of, or that this rule has ended, is no failure.
    func verdict(onFailure domain: String, code: Int, at url: URL?) -> Verdict {
        let isReplaced =
            (domain == NSURLErrorDomain && code == NSURLErrorCancelled) || (domain == "WebKitErrorDomain" && code == 102)
        return isReplaced ? .goOn : .failed(.loadFailed(origin: url.flatMap { Origin($0) }, domain: domain, code: code))
    }
}

extension NavigationRule: RedactedDescription {}
extension NavigationRule.Verdict: RedactedDescription {}
