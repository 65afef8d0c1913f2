public import Countersign
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// What generated authenticators and observers are made of, in the words of Foundation.
extension MethodAuthenticator {
    /// Authenticates and leaves the session cookies in `session`.
    public func authenticate(in session: FoundationSession) async throws {
        try await authenticate(in: session.session)
    }

    /// Authenticates and leaves the session cookies in `session`.
    public func authenticate(in session: FoundationSession, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        report(to: completionHandler) { try await self.authenticate(in: session) }
    }

    /// Authenticates in the session that an observer with this authenticator is registered on.
    public func authenticate(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        report(to: completionHandler) {
            do {
                try await self.authenticate()
            } catch let error as CountersignError where error.code == .invalidRequest {
                throw self.method.invalidArgument?(error.detail) ?? error
            }
        }
    }

    /// Authenticates with cookies of its own, in a session of its own, and hands over the cookies that there are then.
    public func authenticate(
        cookies: [HTTPCookie], completionHandler: @escaping @Sendable ([HTTPCookie]?, (any Error)?) -> Void
    ) {
        let storage = FoundationCookieStorage(cookies)
        Task.detached {
            var configuration = FoundationSession.Configuration()
            configuration.cookieStorage = storage
            let session = FoundationSession(configuration: configuration)
            do {
                try await self.authenticate(in: session)
                completionHandler(storage.cookies, nil)
            } catch {
                completionHandler(nil, error)
            }
            session.finishTasksAndInvalidate()
        }
    }

    /// Whether a response is a challenge of this method.
    public func isChallenge(_ response: URLResponse) -> Bool {
        guard let response = response as? HTTPURLResponse, let url = response.url, let head = response.httpResponse else { return false }
        return matches(head, url: url)
    }

    /// Makes the observer of this authenticator for one session.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - session: Where the observer is registered; not kept alive.
    ///   - authenticate: Takes the place of the authenticator's own flow.
    ///   - isChallenge: Takes the place of the comparison with the spec's signatures; asked once for each response.
    public func observer(
        named name: String, for session: FoundationSession,
        authenticate: (@Sendable (FoundationSession) async throws -> Void)? = nil,
        isChallenge: (@Sendable (FoundationSessionTask, URLResponse) -> Bool)? = nil
    ) -> any SessionObserver {
        var ownAuthentication: (@Sendable (Session) async throws -> Void)?
        if let authenticate {
            ownAuthentication = { [weak session] _ in
                guard let session else { throw CancellationError() }
                try await authenticate(session)
            }
        }
        var ownComparison: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)?
        if let isChallenge {
            ownComparison = { head, exchange in
                guard let task = exchange.task as? FoundationSessionTask,
                    let response = HTTPURLResponse(httpResponse: head, url: exchange.url)
                else { return self.matches(head, url: exchange.url) }
                return isChallenge(task, response)
            }
        }
        return MethodObserver(name: name, authenticator: self, authenticate: ownAuthentication, isChallenge: ownComparison)
    }

    private func report(
        to completionHandler: @escaping @Sendable ((any Error)?) -> Void, _ work: @escaping @Sendable () async throws -> Void
    ) {
        Task.detached {
            do {
                try await work()
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }
}
