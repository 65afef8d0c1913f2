internal import Synchronization

/// The renewals of one authenticator that are under way, by refresh token: however many ask, each refresh token is sent once.
///
/// A server that replaces refresh tokens ends the session if one is sent twice (RFC 9700, section 4.14.2). A session that has a token renewed
/// and an application that calls ``GrantAuthenticator/refresh(_:)`` do not know of each other, so this is where they meet.
final class SharedRenewals: Sendable {
    private struct Renewal {
        let task: Task<OAuth2IssuedToken, any Error>
        var callers = 1
    }

    private let renewals = Mutex<[String: Renewal]>([:])

    /// How many calls wait for the renewal of a refresh token; for tests.
    func callerCount(for refreshToken: String) -> Int { renewals.withLock { $0[refreshToken]?.callers ?? 0 } }

    /// Sends a refresh token, or waits for the answer to the same one that is under way. Cancelling a caller does not cancel the request.
    ///
    /// - Parameters:
    ///   - token: The token to renew.
    ///   - clock: The caller's clock.
    ///   - renew: Sends the request.
    /// - Returns: The new token, with its lifetime on the caller's clock.
    /// - Throws: What `renew` throws, the same for all callers.
    func renew(
        _ token: OAuth2Token, clock: TokenClock, _ renew: @escaping @Sendable () async throws -> OAuth2IssuedToken
    ) async throws -> OAuth2IssuedToken {
        let key = token.refreshToken ?? ""
        let (task, isOwn) = renewals.withLock { renewals in
            if let renewal = renewals[key] {
                renewals[key]?.callers += 1
                return (renewal.task, false)
            }
            let task = Task { [self] in
                defer { self.renewals.withLock { $0[key] = nil } }
                return try await renew()
            }
            renewals[key] = Renewal(task: task)
            return (task, true)
        }
        let issued = try await task.value
        // Each clock counts from a start of its own.
        return isOwn ? issued : clock.restored(issued.token)
    }
}
