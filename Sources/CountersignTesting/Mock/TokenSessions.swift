import Synchronization

/// The sessions that requests with a token opened, by their cookies, so that a logout has a session to end.
final class TokenSessions: Sendable {
    /// The name of the cookie.
    static let cookie = "mock-session"

    private let users = Mutex<[String: String]>([:])

    /// Begins a session for a user and returns its cookie value; `nil` if the request already has a session of this user.
    func begin(for user: String, of request: MockRequest) -> String? {
        let known = request.cookieValues(Self.cookie)
        return users.withLock { users in
            guard !known.contains(where: { users[$0] == user }) else { return nil }
            let session = Token.make()
            users[session] = user
            return session
        }
    }

    /// Ends the session of the request and returns its user; `nil` if there was none.
    func end(of request: MockRequest) -> String? {
        let known = request.cookieValues(Self.cookie)
        return users.withLock { users in known.compactMap { users.removeValue(forKey: $0) }.first }
    }

    /// Ends all sessions.
    func endAll() { users.withLock { $0.removeAll() } }
}
