public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Shows a login in the user's browser, and listens on a loopback address for the redirect (RFC 8252, section 7.3).
///
/// It supports logins with a redirect URL, such as OAuth 2.0's authorization code grant, in programs on a desktop:
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.presenter = LoopbackPresenter()
/// ```
///
/// The redirect URL that is registered with the server is `http://127.0.0.1/` or `http://[::1]/` with any path. Its port is
/// ignored: each login uses a free port, and servers must accept any port. A login without a redirect URL, such as SAML's, needs a
/// presenter that sees the browser's redirects.
///
/// The port is open from just before the page is opened until the response has arrived and is confirmed to the user, the time limit
/// is reached, or the task is cancelled. A closed browser window cannot be detected; the time limit ends such a login. Other
/// connections and requests, such as another path or method, are answered or closed and have no effect. Neither has a response with
/// another `state`; otherwise any web page in that browser could end the login by requesting the port.
///
/// A page with a form, such as a logout page that receives a token of its provider, is opened by a page at the port that posts the
/// form. That page has a random path and is sent once, so its URL in the browser's history is of no use. Since the form comes from
/// another site, the browser sends only those cookies of the provider that have `SameSite=None`.
///
/// **Limits of the protection.** Another user of the same machine who can read the arguments of processes, as on Linux unless
/// `/proc` is mounted with `hidepid`, can read the page's URL while the browser is started: `state`, code challenge and port. That
/// user can log in at the authorization server with their own account and request the port first. The application is then signed in
/// to that account (login CSRF, RFC 6749, section 10.12). The tokens of the legitimate user are safe, since the code verifier stays
/// in the application. A page at the port that is bound to the browser by a cookie would not help, since its URL is an argument as
/// well; a file for the user only would, but sandboxed browsers cannot read it. On a machine that is shared with untrusted users,
/// use an opener that passes the URL without arguments, and after the login show the user the account that the application is
/// signed in to. In the same way, that user can read the values of a form, if they request its page first.
public struct LoopbackPresenter: WebPresenter {
    /// Shows a URL to the user. Its task is cancelled when the response has arrived, and the presenter returns after it.
    public typealias Opener = @Sendable (URL) async throws -> Void

    private let port: UInt16?
    private let timeout: Duration
    private let limits: ConnectionLimits
    private let opener: Opener

    #if os(macOS) || os(Linux)
    /// Creates a presenter that shows pages in the system's browser; see ``SystemBrowser``.
    ///
    /// - Parameters:
    ///   - port: The port to listen on, for servers that require a fixed port, contrary to RFC 8252; `nil` for a free port.
    ///   - timeout: The time limit of the login; 300 seconds by default.
    public init(port: UInt16? = nil, timeout: Duration = .seconds(300)) {
        self.init(port: port, timeout: timeout) { try await SystemBrowser().open($0) }
    }
    #endif

    /// Creates a presenter that shows pages with a given function.
    ///
    /// - Parameters:
    ///   - port: The port to listen on, for servers that require a fixed port, contrary to RFC 8252; `nil` for a free port.
    ///   - timeout: The time limit of the login; 300 seconds by default.
    ///   - opener: Shows a URL and returns, at once or when the page is closed. An error before the response has arrived ends the
    ///     login. The URL contains `state` and code challenge; never log it or put it into an error.
    public init(port: UInt16? = nil, timeout: Duration = .seconds(300), opener: @escaping Opener) {
        self.init(port: port, timeout: timeout, limits: ConnectionLimits(), opener: opener)
    }

    init(port: UInt16? = nil, timeout: Duration = .seconds(300), limits: ConnectionLimits, opener: @escaping Opener) {
        self.port = port
        self.timeout = timeout
        self.limits = limits
        self.opener = opener
    }

    /// `true`, since the port is known only when the presenter listens.
    public var choosesRedirectURL: Bool { true }

    /// Opens the page in the browser and waits for the response.
    ///
    /// Before the method returns, the browser shows the user that the response has arrived, independently of its contents.
    ///
    /// - Throws: `PresentationFailure.load` with a ``LoopbackError``, a ``SystemBrowserError`` or the error of the opener; a
    ///   `PresentationFailure` of the opener; `CancellationError`.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        try await reportingFailures { try await show(presentation) }
    }

    private func show(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        let method = presentation.authenticationMethod
        guard let redirect = presentation.redirect else { throw LoopbackError.fixedFinish(authenticationMethod: method) }
        try Task.checkCancellation()
        let place = try LoopbackPlace(redirect.url, port: port, authenticationMethod: method)
        let listener = try await LoopbackListener.open(at: place, state: redirect.state, limits: limits)
        let page: URL
        do {
            // The form's page is on this port, so that its values are neither in a URL nor in the arguments of a process.
            if let form = redirect.form(listener.redirectURL), let own = listener.page(posting: form) {
                page = own
            } else {
                page = try await redirect.page(listener.redirectURL)
            }
        } catch {
            await listener.close()
            throw error
        }
        let finishURL = try await answer(to: page, at: listener)
        return WebPresentationResult(finishURL: finishURL, cookies: presentation.cookies, redirectURL: listener.redirectURL)
    }

    private func answer(to page: URL, at listener: LoopbackListener) async throws -> URL {
        listener.giveUp(after: timeout)
        async let _ = open(page, at: listener)
        do {
            let finishURL = try await listener.answer()
            await listener.close()
            return finishURL
        } catch {
            // The port is closed first, because the opener, which is awaited at the end of the scope, may take long.
            await listener.close()
            throw error
        }
    }

    private func open(_ page: URL, at listener: LoopbackListener) async {
        do {
            try Task.checkCancellation()
            try await opener(page)
        } catch {
            listener.giveUp(error)
        }
    }
}
