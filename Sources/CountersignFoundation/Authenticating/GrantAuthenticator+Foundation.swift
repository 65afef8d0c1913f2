@_spi(Generated) public import Countersign
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

// What generated authenticators and observers of tokens are made of, in Foundation's types.
extension GrantAuthenticator {
    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - parameters: What the grant is run with.
    ///   - session: Sends the token requests.
    ///   - presenter: Shows the pages; `nil` takes the presenter of the session that needs a token, then that of `session`.
    public convenience init<Parameters: ProgramParameters>(
        _ parameters: Parameters, session: FoundationSession, presenter: (any WebPresenter)? = nil
    ) {
        self.init(parameters, session: session.session, presenter: presenter)
    }

    /// Makes an authenticator whose first token comes by another grant than the later ones.
    ///
    /// - Parameters:
    ///   - parameters: What the first grant is run with. They are dropped once they are used, or too old.
    ///   - session: Sends the token requests; its clock tells how old the parameters are: from this moment on, or from the
    ///     scan where a passcode is redeemed.
    ///   - presenter: Shows the pages; `nil` takes the presenter of the session that needs a token, then that of `session`.
    public convenience init<Parameters: OneTimeParameters>(
        _ parameters: Parameters, session: FoundationSession, presenter: (any WebPresenter)? = nil
    ) {
        self.init(parameters, session: session.session, presenter: presenter)
    }

    /// Gets a token without having one.
    ///
    /// - Parameter completionHandler: Called once, on no particular thread, with the token or with an error.
    @preconcurrency public func authenticate(completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) {
        report(to: completionHandler) { try await self.authenticate() }
    }

    /// Gets a token for the refresh token of another.
    ///
    /// - Parameters:
    ///   - token: The other.
    ///   - completionHandler: Called once, on no particular thread, with the new token or with an error.
    @preconcurrency public func refresh(
        _ token: OAuth2Token, completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void
    ) {
        report(to: completionHandler) { try await self.refresh(token) }
    }

    /// An observer that attaches this authenticator's tokens and answers challenges on one session.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - session: Where the observer is registered; not kept alive.
    ///   - store: Keeps the tokens.
    ///   - protectedURLs: The origins that may receive the token; `nil` for `origins`, or for the first that the application asks if the
    ///     parameters name none.
    ///   - isChallenge: Replaces the comparison of heads by the application's own; asked once per response.
    ///   - review: Reviews each login before the requests that wait for it go on.
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
    /// An observer that attaches the tokens of an application's own authentication and answers challenges with it.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - session: Where the observer is registered; not kept alive.
    ///   - store: Keeps the tokens.
    ///   - protectedURLs: The origins that may receive the token; `nil` for the first that the application asks.
    ///   - authenticate: Gets a token without having one.
    ///   - refresh: Gets a token for the refresh token of another.
    ///   - isChallenge: Replaces the comparison of heads by the application's own; asked once per response.
    ///   - review: Reviews each login before the requests that wait for it go on.
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
    /// An application's comparison of Foundation's responses, as the runtime asks for it; keeps the session not alive.
    func comparison(
        _ isChallenge: (@Sendable (FoundationSessionTask, URLResponse) -> Bool)?
    ) -> (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? {
        guard let isChallenge else { return nil }
        weak let registered = self
        return { head, exchange in
            let response = URLResponse.told(head, url: exchange.url)
            let session = registered ?? FoundationSession(session: exchange.session)
            return isChallenge(FoundationSessionTask.of(exchange, in: session, showing: response), response)
        }
    }
}
