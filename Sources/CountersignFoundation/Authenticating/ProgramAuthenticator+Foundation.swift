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

// The basis of generated authenticators and observers, in Foundation's types.
extension ProgramAuthenticator {
    /// Authenticates now, without a challenge, and stores the cookies in `session`.
    ///
    /// - Throws: The method's errors; `CountersignError`; `CancellationError`.
    public func authenticate(in session: FoundationSession) async throws {
        try await authenticate(in: session.session)
    }

    /// Authenticates now, without a challenge.
    ///
    /// - Parameters:
    ///   - session: The session that receives the credential.
    ///   - completionHandler: Called once, on any thread, with an error or `nil`.
    @preconcurrency public func authenticate(
        in session: FoundationSession, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        report(to: completionHandler) { try await self.authenticate(in: session.session) }
    }

    /// Authenticates in the session on which an observer with this authenticator is registered.
    @preconcurrency public func authenticate(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        report(to: completionHandler) { try await self.authenticate() }
    }

    /// Authenticates with given cookies, outside of any session, and returns all cookies of the login.
    ///
    /// Presenter, limits and connections are those of the session on which an observer with this authenticator is registered, if
    /// there is one. Its cookies are unchanged.
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

    /// Returns whether a response is a challenge of this method.
    public func isChallenge(_ response: URLResponse) -> Bool {
        guard let url = response.url else { return false }
        guard let head = (response as? HTTPURLResponse)?.httpResponse else { return false }
        return matches(head, url: url)
    }

    /// Returns an observer that answers the method's challenges on one session.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - session: The session of the observer. It is not retained.
    ///   - authenticate: Replaces the method's flow by the application's own.
    ///   - isChallenge: Replaces the method's challenge recognition; called once per response.
    ///   - review: Reviews each login before pending requests resume.
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
    /// Returns the task of an exchange, or a placeholder for requests of a flow, which have no task.
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
