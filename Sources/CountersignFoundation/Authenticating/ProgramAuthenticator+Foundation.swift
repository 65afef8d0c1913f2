public import Countersign
internal import CountersignAsyncHTTPClient
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

// What generated authenticators and observers are made of, in Foundation's types.
extension ProgramAuthenticator {
    /// Authenticates now, without a challenge; the session cookies are then in `session`.
    ///
    /// - Throws: the method's errors; `CountersignError`; `CancellationError`.
    public func authenticate(in session: FoundationSession) async throws {
        try await authenticate(in: session.session)
    }

    /// Authenticates now, without a challenge.
    ///
    /// - Parameters:
    ///   - session: The session that gets the credentials.
    ///   - completionHandler: Called once, on no particular thread, with the error or without one.
    @preconcurrency public func authenticate(
        in session: FoundationSession, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        report(to: completionHandler) { try await self.authenticate(in: session.session) }
    }

    /// Authenticates in the session that an observer with this authenticator is registered on.
    @preconcurrency public func authenticate(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        report(to: completionHandler) { try await self.authenticate() }
    }

    /// Authenticates with given cookies, apart from any session, and hands over those of the new session.
    ///
    /// Presenter, limits and connections are those of the session that an observer with this authenticator is registered on, if there is
    /// one; its cookies stay as they are.
    @preconcurrency public func authenticate(
        cookies: [HTTPCookie], completionHandler: @escaping @Sendable ([HTTPCookie]?, (any Error)?) -> Void
    ) {
        Task {
            do {
                completionHandler(try await authenticate(cookies: cookies), nil)
            } catch {
                completionHandler(nil, error.forFoundation)
            }
        }
    }

    /// Whether a response is a challenge of this method.
    public func isChallenge(_ response: URLResponse) -> Bool {
        guard let url = response.url else { return false }
        guard let head = (response as? HTTPURLResponse)?.httpResponse else { return false }
        return matches(head, url: url)
    }

    /// An observer that answers the method's challenges on one session.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - session: Where the observer is registered; not kept alive.
    ///   - authenticate: Replaces the method's flow by the application's own.
    ///   - isChallenge: Replaces the comparison of heads by the application's own; asked once per response.
    ///   - review: Reviews each login before the requests that wait for it go on.
    public func observer(
        named name: String, for session: FoundationSession,
        authenticate: (@Sendable (FoundationSession) async throws -> Void)? = nil,
        isChallenge: (@Sendable (FoundationSessionTask, URLResponse) -> Bool)? = nil, review: AuthenticationReview? = nil
    ) -> any SessionObserver {
        weak let registered = session
        var ownAuthentication: (@Sendable (Session) async throws -> Void)?
        if let authenticate {
            ownAuthentication = { session in try await authenticate(registered ?? FoundationSession(session: session)) }
        }
        let ownComparison = session.comparison(isChallenge)
        return AuthenticatorObserver(
            name: name, authenticator: self, authenticate: ownAuthentication, isChallenge: ownComparison, review: review)
    }

    private func authenticate(cookies: [HTTPCookie]) async throws -> [HTTPCookie] {
        let storage = FoundationCookieStorage(cookies)
        let registered = registeredSession
        let session = Session(
            configuration: registered?.configuration ?? SessionConfiguration(),
            transport: registered?.transport ?? AsyncHTTPClientTransport(), cookies: storage.jar, ownsTransport: registered == nil)
        try await authenticate(in: session)
        return storage.cookies
    }

    private func report(
        to completionHandler: @escaping @Sendable ((any Error)?) -> Void, _ work: @escaping @Sendable () async throws -> Void
    ) {
        Task {
            do {
                try await work()
                completionHandler(nil)
            } catch {
                completionHandler(error.forFoundation)
            }
        }
    }
}

extension FoundationSessionTask {
    /// The task of an exchange, or one to show in its place: a flow's own requests have none.
    static func of(
        _ exchange: ExchangeContext, in session: FoundationSession, showing response: URLResponse
    ) -> FoundationSessionTask {
        let task =
            exchange.task as? FoundationSessionTask
            ?? FoundationSessionTask(session: session, request: URLRequest(url: exchange.url))
        task.show(URLRequest(exchange.request, like: task.originalRequest) ?? URLRequest(url: exchange.url))
        task.show(response: response)
        return task
    }
}
