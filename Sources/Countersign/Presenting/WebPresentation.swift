#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a presenter is asked to show.
public struct WebPresentation: Sendable {
    /// The method's name in its spec, for a title or a log line.
    public let authenticationMethod: String
    /// The page to open. It may hold what only the server should see, so it belongs in no log and no error.
    public let url: URL
    /// Which URL ends the flow.
    public let finish: FinishRule
    /// How the flow comes back to the application, if a presenter may choose where; `nil` if ``finish`` is as fixed as the page.
    public let redirect: WebRedirect?
    /// The session's cookies at the start; a presenter with a cookie store of its own puts them there.
    public let cookies: CookieJar.Snapshot
    /// The same cookies in a jar of their own with the rules of the session's, for presenters that speak HTTP themselves.
    public let jar: CookieJar
    /// The session's way to servers, for presenters that speak HTTP themselves.
    public let transport: any HTTPTransport
    /// Moves the page on from outside, by what another application sends; `nil` if nothing will.
    public let mover: PageMover?

    /// Makes a presentation that ends where the server decides, such as a login that ends in cookies.
    ///
    /// - Parameters:
    ///   - authenticationMethod: The method's name in its spec.
    ///   - url: The page to open.
    ///   - finish: Which URL ends the flow.
    ///   - jar: The session's cookies at the start; the presentation owns it.
    ///   - transport: The session's way to servers.
    ///   - mover: Moves the page on from outside; `nil` if nothing will.
    public init(
        authenticationMethod: String, url: URL, finish: FinishRule, jar: CookieJar, transport: any HTTPTransport,
        mover: PageMover? = nil
    ) {
        self.authenticationMethod = authenticationMethod
        self.url = url
        self.finish = finish
        self.redirect = nil
        self.jar = jar
        cookies = jar.snapshot()
        self.transport = transport
        self.mover = mover
    }

    /// Makes a presentation that ends at a redirect URL, which the page names to the server.
    ///
    /// Page and finish rule follow from the redirect; its query counts as little as what the server adds to it.
    ///
    /// - Parameters:
    ///   - authenticationMethod: The method's name in its spec.
    ///   - redirect: The way back, and the page that names it.
    ///   - jar: The session's cookies at the start; the presentation owns it.
    ///   - transport: The session's way to servers.
    /// - Throws: What ``WebRedirect/page`` throws.
    public init(
        authenticationMethod: String, redirect: WebRedirect, jar: CookieJar, transport: any HTTPTransport
    ) async throws {
        self.init(
            authenticationMethod: authenticationMethod, url: try await redirect.page(redirect.url), redirect: redirect, jar: jar,
            cookies: jar.snapshot(), transport: transport)
    }

    /// - Parameter url: The page, which names the redirect's URL.
    init(
        authenticationMethod: String, url: URL, redirect: WebRedirect, jar: CookieJar, cookies: CookieJar.Snapshot,
        transport: any HTTPTransport
    ) {
        self.authenticationMethod = authenticationMethod
        self.url = url
        self.finish = FinishRule(redirect.url, match: .path)
        self.redirect = redirect
        self.jar = jar
        self.cookies = cookies
        self.transport = transport
        mover = nil
    }

    /// The same login on the same jar and from the same cookies, coming back to another redirect URL; `nil` if the login cannot.
    ///
    /// - Throws: What ``WebRedirect/page`` throws.
    public func redirected(to url: URL) async throws -> WebPresentation? {
        guard let redirect else { return nil }
        return WebPresentation(
            authenticationMethod: authenticationMethod, url: try await redirect.page(url), redirect: redirect.moved(to: url),
            jar: jar, cookies: cookies, transport: transport)
    }
}

extension WebPresentation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the page's origin; no address beyond that, for it may hold state and challenge.
    public var description: String {
        "WebPresentation(\(authenticationMethod), \(Origin(url)?.description ?? "no web address"), redacted)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["authenticationMethod": authenticationMethod, "cookies": cookies], displayStyle: .struct)
    }
}
