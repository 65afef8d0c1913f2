#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A redirect URL that is a parameter of the page's URL and can therefore be chosen when the page is opened.
///
/// A native application on a desktop listens on an ephemeral port (RFC 8252, section 7.3), which the presenter knows only when the
/// login starts:
///
/// ```swift
/// let redirect = WebRedirect(to: registered, state: state) { redirectURL in
///     authorizationEndpoint.appending(queryItems: [URLQueryItem(name: "redirect_uri", value: redirectURL.absoluteString)])
/// }
/// ```
public struct WebRedirect: Sendable {
    /// The redirect URL, such as `http://127.0.0.1/callback`, unless the presenter chooses another one.
    public let url: URL
    /// The `state` of this login, by which a presenter recognises its response; `nil` if there is none.
    public let state: String?
    /// Returns the page to open for a redirect URL.
    ///
    /// With pushed authorization requests (RFC 9126), this sends the request. It throws ``CountersignError``, ``TransportError``,
    /// `ServerPinError` or `CancellationError` if it fails; presenters rethrow these.
    public let page: @Sendable (_ redirectURL: URL) async throws -> URL
    /// Returns the form that a presenter posts in place of opening ``page``, if it can; `nil` for a page without a form.
    public let form: @Sendable (_ redirectURL: URL) -> PageForm?

    /// Creates a redirect.
    ///
    /// - Parameters:
    ///   - url: The redirect URL, unless the presenter chooses another one.
    ///   - state: The `state` of the response; `nil` for none.
    ///   - page: Returns the page's URL for a redirect URL. It is called for each page that is opened.
    public init(to url: URL, state: String?, page: @escaping @Sendable (_ redirectURL: URL) async throws -> URL) {
        self.init(to: url, state: state, form: { _ in nil }, page: page)
    }

    /// Creates a redirect of a page with a form.
    ///
    /// - Parameters:
    ///   - url: The redirect URL, unless the presenter chooses another one.
    ///   - state: The `state` of the response; `nil` for none.
    ///   - form: Returns the form for a redirect URL; `nil` for none.
    ///   - page: Returns the page's URL for a redirect URL, without the values that only the form has. It is called for each page
    ///     that is opened.
    public init(
        to url: URL, state: String?, form: @escaping @Sendable (_ redirectURL: URL) -> PageForm?,
        page: @escaping @Sendable (_ redirectURL: URL) async throws -> URL
    ) {
        self.url = url
        self.state = state
        self.form = form
        self.page = page
    }

    /// Returns the same login with another redirect URL.
    func moved(to url: URL) -> WebRedirect { WebRedirect(to: url, state: state, form: form, page: page) }
}

extension WebRedirect: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The origin of the redirect URL. The state is not shown.
    public var description: String { "WebRedirect(\(Origin(url)?.description ?? "\(url.scheme ?? ""):"), redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
