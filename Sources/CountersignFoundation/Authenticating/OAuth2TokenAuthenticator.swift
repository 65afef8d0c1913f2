@_spi(Generated) public import Countersign

/// What gets the tokens of a method: a generated authenticator, or an application's own.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol OAuth2TokenAuthentication: AnyObject, Sendable {
    /// Gets a token without having one.
    ///
    /// - Parameter completionHandler: Called once, with the token or with an error.
    func authenticate(completionHandler: @escaping @Sendable (_ token: OAuth2Token?, _ error: (any Error)?) -> Void)

    /// Gets a token for the refresh token of another.
    ///
    /// - Parameters:
    ///   - token: The other.
    ///   - completionHandler: Called once, with the new token or with an error.
    func refresh(
        token: OAuth2Token, completionHandler: @escaping @Sendable (_ newToken: OAuth2Token?, _ error: (any Error)?) -> Void)

    /// Ends a running authentication; its completion handler is called with an error. Does nothing when none runs.
    func cancelAuthentication()
}

/// What generated authenticators of methods with tokens have in common.
///
/// Only generated classes can be made: they add the initialisers that take the parameters of each way to a token.
open class OAuth2TokenAuthenticator: OAuth2TokenAuthentication, @unchecked Sendable {
    // Unchecked: what the class stores never changes and is Sendable, and generated subclasses store nothing.
    let core: GrantAuthenticator

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - parameters: What the way to a token is run with.
    ///   - session: Sends the token requests.
    ///   - presenter: Shows the pages; `nil` takes the presenter of the session that needs a token.
    @_spi(Generated) public init(
        running parameters: some ProgramParameters, session: FoundationSession, presenter: (any WebPresenter)? = nil
    ) {
        core = GrantAuthenticator(parameters, session: session, presenter: presenter)
    }

    /// Makes an authenticator whose first token comes another way than the later ones.
    @_spi(Generated) public init(
        running parameters: some OneTimeParameters, session: FoundationSession, presenter: (any WebPresenter)? = nil
    ) {
        core = GrantAuthenticator(parameters, session: session, presenter: presenter)
    }

    /// Gets a token without having one.
    ///
    /// - Throws: An error of the method, `CountersignError` or `CancellationError`.
    public func authenticate() async throws -> OAuth2Token { try await core.authenticate() }

    /// Gets a token without having one.
    ///
    /// - Parameter completionHandler: Called once, with the token or with an error.
    @preconcurrency public func authenticate(
        completionHandler: @escaping @Sendable (_ token: OAuth2Token?, _ error: (any Error)?) -> Void
    ) {
        core.authenticate(completionHandler: completionHandler)
    }

    /// Gets a token for the refresh token of another.
    ///
    /// - Throws: An error of the method, `CountersignError` or `CancellationError`.
    public func refresh(token: OAuth2Token) async throws -> OAuth2Token { try await core.refresh(token) }

    /// Gets a token for the refresh token of another.
    ///
    /// - Parameters:
    ///   - token: The other.
    ///   - completionHandler: Called once, with the new token or with an error.
    @preconcurrency public func refresh(
        token: OAuth2Token, completionHandler: @escaping @Sendable (_ newToken: OAuth2Token?, _ error: (any Error)?) -> Void
    ) {
        core.refresh(token, completionHandler: completionHandler)
    }

    /// Ends a running authentication; its completion handler is called with an error. Does nothing when none runs.
    public func cancelAuthentication() { core.cancel() }
}
