#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A way back to the application that the page itself names to the server, so that it can be chosen when the page is opened.
///
/// A native application on a desktop listens on a port that the system gives it for one login (RFC 8252, section 7.3). Only the
/// presenter that listens knows the port, and it does so when the login starts:
///
/// ```swift
/// let redirect = WebRedirect(to: registered, state: state) { redirectURL in
///     authorizationEndpoint.appending(queryItems: [URLQueryItem(name: "redirect_uri", value: redirectURL.absoluteString)])
/// }
/// ```
public struct WebRedirect: Sendable {
    /// Where the login comes back to unless the presenter chooses another address, such as `http://127.0.0.1/callback`.
    public let url: URL
    /// The `state` that the answer to this login carries, by which a presenter tells it from a stranger's; `nil` if there is none.
    public let state: String?
    /// The page to open so that the login comes back to a redirect URL.
    ///
    /// A server can want to have the login's parameters before the page is opened (RFC 9126). Then this sends them, and throws a
    /// ``CountersignError``, a ``TransportError``, a `ServerPinError` or `CancellationError` where they are not taken; a presenter lets that through.
    public let page: @Sendable (_ redirectURL: URL) async throws -> URL

    /// Makes a redirect.
    ///
    /// - Parameters:
    ///   - url: Where the login comes back to unless the presenter chooses another address.
    ///   - state: The `state` that the answer carries, if it does.
    ///   - page: Makes the page's URL for a redirect URL. It is asked for each page that is opened; the rest of the page stays the same.
    public init(to url: URL, state: String?, page: @escaping @Sendable (_ redirectURL: URL) async throws -> URL) {
        self.url = url
        self.state = state
        self.page = page
    }

    /// The same login with another way back.
    func moved(to url: URL) -> WebRedirect { WebRedirect(to: url, state: state, page: page) }
}

extension WebRedirect: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The origin that the login comes back to; the state is not shown.
    public var description: String { "WebRedirect(\(Origin(url)?.description ?? "\(url.scheme ?? ""):"), redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
