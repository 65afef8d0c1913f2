/// Shows a page to the user until a URL ends the flow.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol WebPresenter: Sendable {
    /// Whether pages are shown in an embedded web view of the application, which can read every URL that is visited. `false` by
    /// default.
    ///
    /// Some pages work only there, because their result must not leave the application.
    var isEmbeddedWebView: Bool { get }

    /// Whether the presenter opens a presentation with a ``WebPresentation/redirect`` only at a page of ``WebRedirect/page`` or
    /// ``WebPresentation/redirected(to:)``. `false` by default.
    ///
    /// For such a presenter, pushed authorization requests (RFC 9126) are sent when it asks for the page. For others, they are sent
    /// before, and ``WebPresentation/url`` is ready to be opened.
    var choosesRedirectURL: Bool { get }

    /// Opens the page, and returns when the browser is sent to a URL that the finish rule accepts.
    ///
    /// A presenter that listens on a port of its own may replace the redirect URL of a presentation with a
    /// ``WebPresentation/redirect``. It opens ``WebPresentation/redirected(to:)`` with its URL instead, and returns that URL in
    /// ``WebPresentationResult/redirectURL``. Other presenters use the presentation unchanged.
    ///
    /// A presenter that can post a form opens a presentation with a ``WebPresentation/form`` by it, or by ``WebRedirect/form`` of its
    /// own redirect URL. Any other presenter opens the URL, which has no secret.
    ///
    /// A presentation with a ``WebPresentation/mover`` can be navigated by another application while its page waits. A presenter
    /// that supports this subscribes to the mover's URLs.
    ///
    /// Cancelling the task closes the page.
    ///
    /// - Throws: ``PresentationFailure``, or `CancellationError`. The associated error of ``PresentationFailure/load(_:)`` or
    ///   ``PresentationFailure/refused(_:)`` is quoted in the method's error if it is a ``SecretFreeError``. Of a ``PageFailure``,
    ///   the origin, the status, the explanation and the spec's text for the status are quoted.
    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult
}

extension WebPresenter {
    /// `false`, since most presenters use a browser outside of the application.
    public var isEmbeddedWebView: Bool { false }

    /// `false`, since most presenters use the given redirect URL.
    public var choosesRedirectURL: Bool { false }
}

/// The reason why a presentation did not reach its finish URL.
public enum PresentationFailure: Error, Sendable {
    /// The user closed the page.
    case dismissed
    /// A page could not be loaded, or requires a feature that the presenter lacks.
    case load(any Error)
    /// The page refused the user's input, such as a wrong password. The associated error is shown to users only if it is a
    /// ``SecretFreeError`` or a ``PageFailure``.
    case refused(any Error)
    /// The user reloaded the page, and the flow cannot continue.
    case reloaded
    /// The app was in the background and could not show a page.
    case background
}
