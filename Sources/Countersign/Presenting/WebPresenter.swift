/// Shows a page to the user, or to what stands in for the user, until a URL ends the flow.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes present without a word about `Sendable`.
@preconcurrency public protocol WebPresenter: Sendable {
    /// Whether pages are shown in a web view of the application's own, which sees every address that a page leads to; `false` unless a
    /// presenter says otherwise.
    ///
    /// Some pages work nowhere else: what they end in never leaves the application. In the user's own browser, or in a system's session
    /// for logins, it would.
    var isEmbeddedWebView: Bool { get }

    /// Whether a presentation with a ``WebPresentation/redirect`` is opened at no other page than one of ``WebRedirect/page`` or
    /// ``WebPresentation/redirected(to:)``; `false` unless a presenter says otherwise.
    ///
    /// For such a presenter nothing is sent to the server before it asks for the page. For any other, ``WebPresentation/url`` is ready to
    /// be opened: a server that wants the login's parameters before (RFC 9126) has them by then.
    var choosesRedirectURL: Bool { get }

    /// Opens the page and returns once the browser is sent to a URL that the finish rule accepts.
    ///
    /// A presentation with a ``WebPresentation/redirect`` may come back to another address than the one it was made with: a
    /// presenter that cannot see where the browser is sent, but can listen, opens ``WebPresentation/redirected(to:)`` with an
    /// address of its own in place of what it was given, and says in ``WebPresentationResult/redirectURL`` which address that was.
    /// Other presenters take the presentation as it is.
    ///
    /// A presentation with a ``WebPresentation/mover`` can be sent on from outside while its page waits; a presenter that can follow
    /// takes the mover's URLs.
    ///
    /// Cancelling the task closes the page.
    ///
    /// - Throws: ``PresentationFailure``, or `CancellationError`. The error within ``PresentationFailure/load(_:)`` or
    ///   ``PresentationFailure/refused(_:)`` is quoted in the method's error if it is a ``SecretFreeError``; of a ``PageFailure``, origin,
    ///   status and explanation are, and what the spec says about the status.
    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult
}

extension WebPresenter {
    /// `false`: most presenters hand a page to a browser outside of the application.
    public var isEmbeddedWebView: Bool { false }

    /// `false`: most presenters take a presentation as it is.
    public var choosesRedirectURL: Bool { false }
}

/// How a presentation ended without reaching its finish.
public enum PresentationFailure: Error, Sendable {
    /// The user closed the page.
    case dismissed
    /// A page could not be loaded, or needs what the presenter cannot do.
    case load(any Error)
    /// The page was shown and refused what was entered, such as a wrong password. The error says more, and is not shown to a user unless
    /// it is a ``SecretFreeError`` or a ``PageFailure``.
    case refused(any Error)
    /// The page was loaded anew by the user, and the flow cannot go on from there.
    case reloaded
    /// The app was in the background, where nothing can be shown.
    case background
}
