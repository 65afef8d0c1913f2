import Synchronization

/// The sessions that requests with a token have opened, by their cookies: what a logout ends.
final class TokenSessions: Sendable {
    /// The name of the cookie.
    static let cookie = "mock-session"

    private let users = Mutex<[String: String]>([:])

    /// Begins a session for a user; `nil` if the request has one of theirs already.
    func begin(for user: String, of request: MockRequest) -> String? {
        let known = request.cookieValues(Self.cookie)
        return users.withLock { users in
            guard !known.contains(where: { users[$0] == user }) else { return nil }
            let session = Token.make()
            users[session] = user
            return session
        }
    }

    /// Ends the session that the request carries, and says whose it was.
    func end(of request: MockRequest) -> String? {
        let known = request.cookieValues(Self.cookie)
        return users.withLock { users in known.compactMap { users.removeValue(forKey: $0) }.first }
    }

    /// Ends all sessions.
    func endAll() { users.withLock { $0.removeAll() } }
}
