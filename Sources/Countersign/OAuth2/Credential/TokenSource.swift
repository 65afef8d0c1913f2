/// Obtains tokens by an OAuth 2.0 grant with its parameters.
///
/// A source only communicates with the authorization server. Stores, pending requests and other processes are the responsibility of
/// a ``ManagedCredential``.
package protocol TokenSource: AnyObject, Sendable {
    /// The method's name in its spec, such as `OAuth2`.
    var authenticationMethod: String { get }
    /// Whether ``obtain(in:clock:)`` requires the user.
    var isInteractive: Bool { get }
    /// Whether tokens can be renewed with a refresh token.
    var isRenewing: Bool { get }

    /// The redirects of the logins in ``obtain(in:clock:)``; empty if there are none.
    var redirects: [AuthorizationRedirect] { get }
    /// The session that sends the requests to the authorization server; `nil` for the session that needs the token.
    var session: Session? { get }
    /// The presenter of pages; `nil` for that of the session that needs the token, then that of ``session``.
    var presenter: (any WebPresenter)? { get }

    /// Obtains a token without an existing one.
    ///
    /// - Throws: ``OAuth2TokenFailure`` for a failure of the token request; ``IncompleteGrant`` for one of a later step, with the token;
    ///   the method's errors; ``CountersignError``; `CancellationError`.
    func obtain(in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken

    /// Obtains a token with the refresh token of another one (RFC 6749, section 6). The request is not cancelled, since its
    /// response may exist only once.
    ///
    /// - Throws: The errors of ``obtain(in:clock:)``.
    func renew(_ token: OAuth2Token, in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken

    /// Returns the method's error for a failed token request.
    func error(for failure: OAuth2TokenFailure) -> any Error
}

extension TokenSource {
    package var redirects: [AuthorizationRedirect] { [] }
    package var session: Session? { nil }
    package var presenter: (any WebPresenter)? { nil }
}
