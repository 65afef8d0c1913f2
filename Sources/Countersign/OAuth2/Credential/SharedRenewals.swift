internal import Synchronization

/// The running renewals of one authenticator, by refresh token. Each refresh token is sent once, regardless of the number of
/// callers.
///
/// A server that rotates refresh tokens ends the session if one is sent twice (RFC 9700, section 4.14.2). A session that renews a
/// token and an application that calls ``GrantAuthenticator/refresh(_:)`` do not know of each other, so they share renewals here.
final class SharedRenewals: Sendable {
    private struct Renewal {
        let task: Task<OAuth2IssuedToken, any Error>
        var callers = 1
    }

    private let renewals = Mutex<[String: Renewal]>([:])

    /// Returns the number of callers that wait for the renewal of a refresh token. For tests.
    func callerCount(for refreshToken: String) -> Int { renewals.withLock { $0[refreshToken]?.callers ?? 0 } }

    /// Sends a refresh token, or waits for the response to a running request with the same one. Cancelling a caller does not
    /// cancel the request.
    ///
    /// - Parameters:
    ///   - token: The token to renew.
    ///   - clock: The caller's clock.
    ///   - renew: Sends the request.
    /// - Returns: The new token, with its lifetime on the caller's clock.
    /// - Throws: The errors of `renew`, the same for all callers.
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
        // Each clock has its own starting point.
        return isOwn ? issued : clock.restored(issued.token)
    }
}
