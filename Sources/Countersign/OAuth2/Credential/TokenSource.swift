/// Gets tokens: a grant of OAuth 2.0 with its parameters.
///
/// A source talks to the authorization server and knows nothing of stores, of requests that wait, or of other processes; a
/// ``ManagedCredential`` is responsible for those.
package protocol TokenSource: AnyObject, Sendable {
    /// The method's name in its spec, such as `OAuth2`.
    var authenticationMethod: String { get }
    /// Whether the user takes part in ``obtain(in:clock:)``.
    var isInteractive: Bool { get }
    /// Whether there is a way from a refresh token to a new token.
    var isRenewing: Bool { get }

    /// Where the logins of ``obtain(in:clock:)`` end; empty if there are none.
    var redirects: [AuthorizationRedirect] { get }

    /// Gets a token without having one.
    ///
    /// - Throws: ``OAuth2TokenFailure`` for what the token endpoint did; the method's errors; ``CountersignError``; `CancellationError`.
    func obtain(in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken

    /// Gets a token for the refresh token of another (RFC 6749, section 6). Is not cancelled: the answer may exist only once.
    ///
    /// - Throws: as ``obtain(in:clock:)``.
    func renew(_ token: OAuth2Token, in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken

    /// The method's error for what a token endpoint did.
    func error(for failure: OAuth2TokenFailure) -> any Error
}

extension TokenSource {
    package var redirects: [AuthorizationRedirect] { [] }
}
