@_spi(Generated) public import Countersign

/// Obtains the tokens of a method: a generated authenticator, or an application's own.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol OAuth2TokenAuthentication: AnyObject, Sendable {
    /// Obtains a token without an existing one.
    ///
    /// - Parameter completionHandler: Called once, with the token or with an error.
    func authenticate(completionHandler: @escaping @Sendable (_ token: OAuth2Token?, _ error: (any Error)?) -> Void)

    /// Obtains a token with the refresh token of another one.
    ///
    /// - Parameters:
    ///   - token: The token with the refresh token.
    ///   - completionHandler: Called once, with the new token or with an error.
    func refresh(
        token: OAuth2Token, completionHandler: @escaping @Sendable (_ newToken: OAuth2Token?, _ error: (any Error)?) -> Void)

    /// Cancels a running authentication. Its completion handler is called with an error. Does nothing if none is running.
    func cancelAuthentication()
}

/// The base class of generated authenticators of methods with tokens.
///
/// Only generated subclasses can be created: they add the initialisers with the parameters of each grant.
open class OAuth2TokenAuthenticator: OAuth2TokenAuthentication, @unchecked Sendable {
    // Unchecked, because the class is open: its properties are immutable and Sendable, and generated subclasses store nothing.
    let core: GrantAuthenticator

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the grant.
    ///   - session: The session that sends the token requests.
    ///   - presenter: The presenter of login pages; `nil` uses the presenter of the session that needs a token.
    @_spi(Generated) public init(
        running parameters: some ProgramParameters, session: FoundationSession, presenter: (any WebPresenter)? = nil
    ) {
        core = GrantAuthenticator(parameters, session: session, presenter: presenter)
    }

    /// Creates an authenticator whose first token is obtained by another grant than the later ones.
    @_spi(Generated) public init(
        running parameters: some OneTimeParameters, session: FoundationSession, presenter: (any WebPresenter)? = nil
    ) {
        core = GrantAuthenticator(parameters, session: session, presenter: presenter)
    }

    /// Obtains a token without an existing one.
    ///
    /// - Throws: An error of the method, `CountersignError` or `CancellationError`.
    public func authenticate() async throws -> OAuth2Token { try await core.authenticate() }

    /// Obtains a token without an existing one.
    ///
    /// - Parameter completionHandler: Called once, with the token or with an error.
    @preconcurrency public func authenticate(
        completionHandler: @escaping @Sendable (_ token: OAuth2Token?, _ error: (any Error)?) -> Void
    ) {
        core.authenticate(completionHandler: completionHandler)
    }

    /// Obtains a token with the refresh token of another one.
    ///
    /// - Throws: An error of the method, `CountersignError` or `CancellationError`.
    public func refresh(token: OAuth2Token) async throws -> OAuth2Token { try await core.refresh(token) }

    /// Obtains a token with the refresh token of another one.
    ///
    /// - Parameters:
    ///   - token: The token with the refresh token.
    ///   - completionHandler: Called once, with the new token or with an error.
    @preconcurrency public func refresh(
        token: OAuth2Token, completionHandler: @escaping @Sendable (_ newToken: OAuth2Token?, _ error: (any Error)?) -> Void
    ) {
        core.refresh(token, completionHandler: completionHandler)
    }

    /// Cancels a running authentication. Its completion handler is called with an error. Does nothing if none is running.
    public func cancelAuthentication() { core.cancel() }
}
