/// Obtains tokens from the application's own authentication.
final class OwnTokenSource: TokenSource {
    let authenticationMethod: String
    let isInteractive = true
    let isRenewing = true
    private let authenticate: @Sendable () async throws -> OAuth2Token
    private let refresh: @Sendable (OAuth2Token) async throws -> OAuth2Token

    init(
        authenticationMethod: String, authenticate: @escaping @Sendable () async throws -> OAuth2Token,
        refresh: @escaping @Sendable (OAuth2Token) async throws -> OAuth2Token
    ) {
        self.authenticationMethod = authenticationMethod
        self.authenticate = authenticate
        self.refresh = refresh
    }

    func obtain(in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        try FlightScope.requireWanted()
        do {
            return clock.restored(try await authenticate())
        } catch let error as TransportError {
            throw ApplicationFailure(error: error)
        }
    }

    func renew(_ token: OAuth2Token, in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        do {
            return clock.restored(try await refresh(token))
        } catch let error as TransportError {
            throw ApplicationFailure(error: error)
        } catch let error as OAuth2ServerError {
            // A refused refresh token ends the session, even if the application's own client sent the request.
            throw OAuth2TokenFailure(.server(error), status: 400).completed(isRenewal: true)
        } catch let error as any OAuth2ServerErrorCarrying {
            guard let server = error.serverError else { throw error }
            throw OAuth2TokenFailure(.server(server), status: 400).completed(isRenewal: true)
        }
    }

    func error(for failure: OAuth2TokenFailure) -> any Error {
        guard case .server(let error) = failure.reason else {
            let described = RequestFailure(failure)
            return CountersignError(
                .tokenRequestFailed, detail: described.summary, authenticationMethod: authenticationMethod,
                status: described.status)
        }
        return error
    }
}

/// An error that can carry an authorization server's error response, which tells the session the state of a token.
public protocol OAuth2ServerErrorCarrying: Error {
    /// The error response; `nil` if the error has another cause.
    var serverError: OAuth2ServerError? { get }
}
