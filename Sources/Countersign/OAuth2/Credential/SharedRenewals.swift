internal import Synchronization

/// The running renewals of one authenticator, by refresh token. Each refresh token is sent once, regardless of the number of
/// callers.
///
/// A server that rotates refresh tokens ends the session if one is sent twice (RFC 9700, section 4.14.2). A session that renews a
/// token and an application that calls ``GrantAuthenticator/refresh(_:)`` do not know of each other, so they share renewals here.
///
/// If a later step of a renewal fails, its callers get no token, although the server may have replaced the refresh token. The new one
/// is kept here, and the next renewal of the same token sends it.
final class SharedRenewals: Sendable {
    fileprivate struct Renewal {
        let task: Task<OAuth2IssuedToken, any Error>
        var callers = 1
    }

    fileprivate struct State {
        /// The running renewals, by the refresh token that they send.
        var renewals: [String: Renewal] = [:]
        /// The refresh tokens that failed renewals have sent, and those that servers have issued in their place, the oldest first.
        var replaced: [(used: String, next: String)] = []
    }

    private let state = Mutex(State())

    /// The maximum number of replaced refresh tokens. The oldest ones are dropped.
    fileprivate static var maximumReplaced: Int { 16 }

    /// Returns the number of callers that wait for the renewal of a refresh token. For tests.
    func callerCount(for refreshToken: String) -> Int { state.withLock { $0.renewals[refreshToken]?.callers ?? 0 } }

    /// Sends a refresh token, or waits for the response to a running request with the same one. Cancelling a caller does not
    /// cancel the request.
    ///
    /// - Parameters:
    ///   - token: The token to renew.
    ///   - clock: The caller's clock.
    ///   - renew: Sends the request for a token: `token`, with the refresh token that a failed renewal has brought for it.
    /// - Returns: The new token, with its lifetime on the caller's clock.
    /// - Throws: The errors of `renew`, the same for all callers.
    func renew(
        _ token: OAuth2Token, clock: TokenClock,
        _ renew: @escaping @Sendable (OAuth2Token) async throws -> OAuth2IssuedToken
    ) async throws -> OAuth2IssuedToken {
        let (task, isOwn) = state.withLock { state -> (Task<OAuth2IssuedToken, any Error>, Bool) in
            let token = state.latest(of: token)
            let key = token.refreshToken ?? ""
            if let renewal = state.renewals[key] {
                state.renewals[key]?.callers += 1
                return (renewal.task, false)
            }
            let task = Task { [self] () async throws -> OAuth2IssuedToken in
                do {
                    let issued = try await renew(token)
                    self.state.withLock { state in
                        state.renewals[key] = nil
                        state.replaced.removeAll { $0.next == key }
                    }
                    return issued
                } catch {
                    let next = (error as? IncompleteGrant)?.issued.token.refreshToken
                    self.state.withLock { state in
                        state.renewals[key] = nil
                        if let next { state.note(next, insteadOf: token) }
                    }
                    throw error
                }
            }
            state.renewals[key] = Renewal(task: task)
            return (task, true)
        }
        let issued = try await task.value
        // Each clock has its own starting point.
        return isOwn ? issued : clock.restored(issued.token)
    }
}

extension SharedRenewals.State {
    /// Returns a token with the refresh token that a failed renewal has brought in place of its own.
    fileprivate func latest(of token: OAuth2Token) -> OAuth2Token {
        guard let next = replaced.first(where: { $0.used == token.refreshToken })?.next else { return token }
        return OAuth2Token(
            accessToken: token.accessToken, tokenType: token.tokenType, expiryDate: token.expiryDate, scopes: token.scopes,
            refreshToken: next)
    }

    /// Keeps the refresh token that a failed renewal of a token has brought.
    fileprivate mutating func note(_ next: String, insteadOf token: OAuth2Token) {
        guard let used = token.refreshToken, used != next else { return }
        // The caller may still have the refresh token of an earlier failure.
        for index in replaced.indices where replaced[index].next == used { replaced[index].next = next }
        replaced.removeAll { $0.used == used }
        replaced.append((used: used, next: next))
        if replaced.count > SharedRenewals.maximumReplaced { replaced.removeFirst() }
    }
}
