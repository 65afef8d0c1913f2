@_spi(Generated) public import Countersign
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

// The basis of generated authenticators and observers of methods with tokens, in Foundation's types.
extension GrantAuthenticator {
    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the grant.
    ///   - session: The session that sends the token requests.
    ///   - presenter: The presenter of login pages; `nil` uses the presenter of the session that needs a token, then that of
    ///     `session`.
    public convenience init<Parameters: ProgramParameters>(
        _ parameters: Parameters, session: FoundationSession, presenter: (any WebPresenter)? = nil
    ) {
        self.init(parameters, session: session.session, presenter: presenter)
    }

    /// Creates an authenticator whose first token is obtained by another grant than the later ones.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the first grant. They are dropped once they have been used or are too old.
    ///   - session: The session that sends the token requests. Its clock measures the age of the parameters, from this call or, for
    ///     a passcode, from its scan.
    ///   - presenter: The presenter of login pages; `nil` uses the presenter of the session that needs a token, then that of
    ///     `session`.
    public convenience init<Parameters: OneTimeParameters>(
        _ parameters: Parameters, session: FoundationSession, presenter: (any WebPresenter)? = nil
    ) {
        self.init(parameters, session: session.session, presenter: presenter)
    }

    /// Obtains a token without an existing one.
    ///
    /// - Parameter completionHandler: Called once, on any thread, with the token or with an error.
    @preconcurrency public func authenticate(completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) {
        report(to: completionHandler) { try await self.authenticate() }
    }

    /// Obtains a token with the refresh token of another one.
    ///
    /// - Parameters:
    ///   - token: The token with the refresh token.
    ///   - completionHandler: Called once, on any thread, with the new token or with an error.
    @preconcurrency public func refresh(
        _ token: OAuth2Token, completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void
    ) {
        report(to: completionHandler) { try await self.refresh(token) }
    }

    /// Returns an observer for one session that attaches this authenticator's tokens and answers challenges.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - session: The session of the observer. It is not retained.
    ///   - store: The store of the tokens.
    ///   - protectedURLs: The origins that may receive the token; `nil` for `origins`, or, if the parameters name none, the first
    ///     origin that receives a request.
    ///   - isChallenge: Replaces the method's challenge recognition; called once per response.
    ///   - review: Reviews each login before pending requests resume.
    public func observer(
        named name: String, for session: FoundationSession, store: any OAuth2TokenStore, protectedURLs: ProtectedOrigins? = nil,
        isChallenge: (@Sendable (FoundationSessionTask, URLResponse) -> Bool)? = nil, review: AuthenticationReview? = nil
    ) -> any SessionObserver {
        observer(
            named: name, store: store, origins: protectedURLs, isChallenge: session.comparison(isChallenge), review: review)
    }

    private func report(
        to completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void,
        _ work: @escaping @Sendable () async throws -> OAuth2Token
    ) {
        Task {
            do {
                completionHandler(try await work(), nil)
            } catch {
                completionHandler(nil, error.forFoundation)
            }
        }
    }
}

extension ProgramParameters {
    /// Returns an observer that attaches the tokens of an application's own authentication and answers challenges with it.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - session: The session of the observer. It is not retained.
    ///   - store: The store of the tokens.
    ///   - protectedURLs: The origins that may receive the token; `nil` for the first origin that receives a request.
    ///   - authenticate: Obtains a token without an existing one.
    ///   - refresh: Obtains a token with the refresh token of another one.
    ///   - isChallenge: Replaces the method's challenge recognition; called once per response.
    ///   - review: Reviews each login before pending requests resume.
    @_spi(Generated) public func observer(
        named name: String, for session: FoundationSession, store: any OAuth2TokenStore, protectedURLs: ProtectedOrigins? = nil,
        authenticate: @escaping @Sendable () async throws -> OAuth2Token,
        refresh: @escaping @Sendable (OAuth2Token) async throws -> OAuth2Token,
        isChallenge: (@Sendable (FoundationSessionTask, URLResponse) -> Bool)? = nil, review: AuthenticationReview? = nil
    ) -> any SessionObserver {
        observer(
            named: name, store: store, origins: protectedURLs, authenticate: authenticate, refresh: refresh,
            isChallenge: session.comparison(isChallenge), review: review)
    }
}

extension FoundationSession {
    /// Converts the application's challenge recognition to the runtime's types. The result does not retain the session.
    func comparison(
        _ isChallenge: (@Sendable (FoundationSessionTask, URLResponse) -> Bool)?
    ) -> (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? {
        guard let isChallenge else { return nil }
        weak let registered = self
        return { head, exchange in
            let response = URLResponse.converting(head, url: exchange.url)
            let session = registered ?? FoundationSession(session: exchange.session)
            return isChallenge(FoundationSessionTask.of(exchange, in: session, showing: response), response)
        }
    }
}
