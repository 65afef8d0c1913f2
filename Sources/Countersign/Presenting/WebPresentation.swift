#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A page for a presenter, with the rule that ends it.
public struct WebPresentation: Sendable {
    /// The method's name in its spec, for a title or a log message.
    public let authenticationMethod: String
    /// The page to open. Its URL may contain secrets, so never log it or put it into an error.
    public let url: URL
    /// The form that opens the page; `nil` if its ``url`` has everything.
    ///
    /// A presenter that can post a form does so, in place of opening the URL, which lacks some of the values. Any other presenter
    /// opens the URL. Of a presentation with a ``redirect``, the form has its redirect URL, as ``url`` does.
    public let form: PageForm?
    /// The rule for the URL that ends the flow.
    public let finish: FinishRule
    /// The redirect to the application, if the presenter may choose its URL; `nil` if ``finish`` is fixed.
    public let redirect: WebRedirect?
    /// The session's cookies at the start, for presenters with their own cookie store.
    public let cookies: CookieJar.Snapshot
    /// The same cookies in a separate jar with the session's rules, for presenters that send HTTP requests themselves.
    public let jar: CookieJar
    /// The session's transport, for presenters that send HTTP requests themselves.
    public let transport: any HTTPTransport
    /// Navigates the page on behalf of another application; `nil` if the method has no callback.
    public let mover: PageMover?

    /// Creates a presentation that ends at a URL of the server, such as a login that ends in cookies.
    ///
    /// - Parameters:
    ///   - authenticationMethod: The method's name in its spec.
    ///   - url: The page to open.
    ///   - finish: The rule for the URL that ends the flow.
    ///   - jar: The session's cookies at the start; the presentation owns it.
    ///   - transport: The session's transport.
    ///   - mover: Navigates the page on behalf of another application; `nil` for none.
    public init(
        authenticationMethod: String, url: URL, finish: FinishRule, jar: CookieJar, transport: any HTTPTransport,
        mover: PageMover? = nil
    ) {
        self.authenticationMethod = authenticationMethod
        self.url = url
        self.finish = finish
        form = nil
        self.redirect = nil
        self.jar = jar
        cookies = jar.snapshot()
        self.transport = transport
        self.mover = mover
    }

    /// Creates a presentation that ends at a redirect URL, which the page's URL contains.
    ///
    /// Page and finish rule are derived from the redirect. The query of the redirect URL is ignored.
    ///
    /// - Parameters:
    ///   - authenticationMethod: The method's name in its spec.
    ///   - redirect: The redirect, with the page that refers to it.
    ///   - jar: The session's cookies at the start; the presentation owns it.
    ///   - transport: The session's transport.
    /// - Throws: The errors of ``WebRedirect/page``.
    public init(
        authenticationMethod: String, redirect: WebRedirect, jar: CookieJar, transport: any HTTPTransport
    ) async throws {
        self.init(
            authenticationMethod: authenticationMethod, url: try await redirect.page(redirect.url), redirect: redirect, jar: jar,
            cookies: jar.snapshot(), transport: transport)
    }

    /// - Parameter url: The URL of the page, which contains the redirect URL.
    init(
        authenticationMethod: String, url: URL, redirect: WebRedirect, jar: CookieJar, cookies: CookieJar.Snapshot,
        transport: any HTTPTransport
    ) {
        self.authenticationMethod = authenticationMethod
        self.url = url
        form = redirect.form(redirect.url)
        self.finish = FinishRule(redirect.url, match: .path)
        self.redirect = redirect
        self.jar = jar
        self.cookies = cookies
        self.transport = transport
        mover = nil
    }

    /// Returns the same login, with the same jar and cookies, for another redirect URL; `nil` if the login has no redirect.
    ///
    /// - Throws: The errors of ``WebRedirect/page``.
    public func redirected(to url: URL) async throws -> WebPresentation? {
        guard let redirect else { return nil }
        return WebPresentation(
            authenticationMethod: authenticationMethod, url: try await redirect.page(url), redirect: redirect.moved(to: url),
            jar: jar, cookies: cookies, transport: transport)
    }
}

extension WebPresentation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the page's origin. The rest of the URL may contain state and challenge.
    public var description: String {
        "WebPresentation(\(authenticationMethod), \(Origin(url)?.description ?? "no web address"), redacted)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["authenticationMethod": authenticationMethod, "cookies": cookies], displayStyle: .struct)
    }
}
