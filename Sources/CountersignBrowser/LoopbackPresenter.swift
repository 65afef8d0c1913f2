public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Shows a login in the user's own browser, and listens on this machine for its answer (RFC 8252, section 7.3).
///
/// For logins that come back to a redirect URL, such as OAuth 2.0's authorization code, in programs with a desktop around them:
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.presenter = LoopbackPresenter()
/// ```
///
/// The redirect URL that is registered with the server is `http://127.0.0.1/` or `http://[::1]/` with any path. Whether it has a
/// port does not matter: the system gives a free one for each login, and servers have to let any port through. A login without a
/// redirect URL, such as SAML's, needs a presenter that sees where its browser is sent.
///
/// The port is open from just before the page is opened until the answer is there and the user can read so, or the time is over,
/// or the task is cancelled. A window that the user closes cannot be seen from here; the time ends such a login. Whatever else
/// comes meanwhile, another path, another method, a web page that guesses, a connection that says nothing, is answered or closed
/// and changes nothing. So does an answer with another `state`: if it ended the login, any web page in that browser could end any
/// login by calling the port.
///
/// **What this does not protect against.** Another user of the same machine who can read the arguments of other users' processes, as on
/// Linux unless `/proc` is mounted with `hidepid`, can read the page's URL while the program runs that opens it: `state`, code challenge
/// and port. With them that user can log in at the authorization server with an account of their own and call the port first, and the
/// application is then signed in to that account (login CSRF, RFC 6749, section 10.12). The tokens of the user who logs in are not
/// reached: the code verifier stays in the application. A page of the port's own, opened once and bound to the browser by a cookie, would
/// not help, since its address is an argument as well and can be opened first by a user who reads it; a file that only the user can read
/// would, and browsers in a sandbox cannot read it either. On a machine that is shared with users who are not trusted, give an opener that
/// hands the URL on without arguments, and show the user, after the login, which account the application is signed in to.
public struct LoopbackPresenter: WebPresenter {
    /// Shows a URL to the user. Its task is cancelled when the answer is there, and the presenter returns after it.
    public typealias Opener = @Sendable (URL) async throws -> Void

    private let port: UInt16?
    private let timeout: Duration
    private let limits: ConnectionLimits
    private let opener: Opener

    #if os(macOS) || os(Linux)
    /// Makes a presenter that shows pages in the system's browser, see ``SystemBrowser``.
    ///
    /// - Parameters:
    ///   - port: A port to listen on, for a server that compares redirect URLs with it, against RFC 8252; `nil` for a free one.
    ///   - timeout: How long the user may take; the port is closed then.
    public init(port: UInt16? = nil, timeout: Duration = .seconds(300)) {
        self.init(port: port, timeout: timeout) { try await SystemBrowser().open($0) }
    }
    #endif

    /// Makes a presenter that shows pages in a way of its own.
    ///
    /// - Parameters:
    ///   - port: A port to listen on, for a server that compares redirect URLs with it, against RFC 8252; `nil` for a free one.
    ///   - timeout: How long the user may take; the port is closed then.
    ///   - opener: Shows a URL and returns, now or when the page is closed. Whatever it throws before the answer is there ends the
    ///     login. The URL holds state and challenge, and belongs in no log and no error.
    public init(port: UInt16? = nil, timeout: Duration = .seconds(300), opener: @escaping Opener) {
        self.init(port: port, timeout: timeout, limits: ConnectionLimits(), opener: opener)
    }

    init(port: UInt16? = nil, timeout: Duration = .seconds(300), limits: ConnectionLimits, opener: @escaping Opener) {
        self.port = port
        self.timeout = timeout
        self.limits = limits
        self.opener = opener
    }

    /// `true`: the port is known once it listens.
    public var choosesRedirectURL: Bool { true }

    /// Opens the page in the browser and waits for the answer.
    ///
    /// The user can read in the browser that the answer has arrived, whatever it says, before this returns.
    ///
    /// - Throws: `PresentationFailure.load` with a ``LoopbackError``, a ``SystemBrowserError`` or what the opener threw;
    ///   a `PresentationFailure` of the opener; `CancellationError`.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        do {
            return try await show(presentation)
        } catch let failure as PresentationFailure where !Task.isCancelled {
            throw failure
        } catch {
            guard !Task.isCancelled, !(error is CancellationError) else { throw CancellationError() }
            throw PresentationFailure.load(error)
        }
    }

    private func show(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        let method = presentation.authenticationMethod
        guard let redirect = presentation.redirect else { throw LoopbackError.fixedFinish(authenticationMethod: method) }
        try Task.checkCancellation()
        let place = try LoopbackPlace(redirect.url, port: port, authenticationMethod: method)
        let listener = try await LoopbackListener.open(at: place, state: redirect.state, limits: limits)
        let page: URL
        do {
            page = try await redirect.page(listener.redirectURL)
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
            // The port is closed before the opener is waited for, which may take its time.
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
