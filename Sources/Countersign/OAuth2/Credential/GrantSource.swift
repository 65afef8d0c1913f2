/// Obtains tokens by the steps of a grant.
///
/// Concurrent runs have separate random values. The caller is responsible for sharing runs.
final class GrantSource: TokenSource {
    private let method: PreparedProgram
    private let tokenSession: Session
    let presenter: (any WebPresenter)?
    private let runs = CancellableRuns()
    let renewals = SharedRenewals()
    let redirects: [AuthorizationRedirect]

    /// - Parameters:
    ///   - session: The session that sends the token requests.
    ///   - presenter: The presenter of the pages; `nil` uses that of the session that needs the token, then that of `session`.
    init(_ method: PreparedProgram, session: Session, presenter: (any WebPresenter)?) {
        self.method = method
        tokenSession = session
        self.presenter = presenter
        redirects = method.redirects
    }

    var authenticationMethod: String { method.program.name }
    var session: Session? { tokenSession }
    /// The grant's name in the spec.
    var name: String { method.program.grant ?? method.program.name }
    var isInteractive: Bool { method.isInteractive }
    var isRenewing: Bool { method.program.renewal != nil }
    /// The origins that may receive the token, as far as the parameters name them.
    var origins: ProtectedOrigins? { method.destinations }

    func obtain(in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        try await obtain(in: session, clock: clock, unless: nil)
    }

    /// Obtains a token, but only if no other token is being obtained.
    ///
    /// - Throws: The method's `busy` error if another token is being obtained.
    func obtainAlone(in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        try await obtain(in: session, clock: clock, unless: busy)
    }

    /// The error of a request for a token while another token is being obtained.
    var busy: any Error {
        method.error(
            method.program.failures[.busy],
            or: CountersignError(
                .busy, detail: "an authentication of the same authenticator is running", authenticationMethod: authenticationMethod)
        )
    }

    private func obtain(
        in session: Session, clock: TokenClock, unless busy: (any Error)?
    ) async throws -> OAuth2IssuedToken {
        try AuthorizationRedirect.requireUnshared(redirects, in: session, of: authenticationMethod)
        return try await runs.perform(unless: busy, orThrow: cancelled) { [self] in
            try await issued(by: method.program.acquire, renewing: nil, in: session, clock: clock)
        }
    }

    func renew(_ token: OAuth2Token, in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        // A client that authenticates itself needs no refresh token for another token (RFC 6749, section 4.4.3).
        guard isRenewing || isInteractive else {
            return try await renewals.renew(token, clock: clock) { _ in try await self.obtain(in: session, clock: clock) }
        }
        guard let renewal = method.program.renewal, token.refreshToken != nil else {
            throw method.unusable(
                "the token cannot be renewed: it has no refresh token, or the grant '\(name)' does not support one",
                .invalidRequest)
        }
        return try await renewals.renew(token, clock: clock) { [self] token in
            try await issued(by: renewal.steps, renewing: token, in: session, clock: clock)
        }
    }

    func cancel() { runs.cancelAll() }

    func error(for failure: OAuth2TokenFailure) -> any Error {
        let steps = failure.isRenewal ? method.program.renewal?.steps ?? [] : method.program.acquire
        let described = RequestFailure(failure)
        if let index = failure.step, steps.indices.contains(index), let number = steps[index].tokenCall?.failures[described.kind],
            let error = method.error(number, described.detail, described.cause)
        {
            return error
        }
        var error = CountersignError(
            .tokenRequestFailed, detail: described.summary, authenticationMethod: authenticationMethod, requestMethod: "POST",
            origin: described.origin, status: described.status)
        error.retryAfter = failure.retryAfter
        return error
    }

    private func issued(
        by steps: [ProgramStep], renewing: OAuth2Token?, in session: Session, clock: TokenClock
    ) async throws -> OAuth2IssuedToken {
        var method = method
        method.presenter = { [presenter] in presenter ?? session.configuration.presenter }
        var runner = StepRunner(method, renewing: renewing, at: clock, for: session, in: tokenSession) {
            [name = authenticationMethod] kind in
            session.report(SessionEvent(kind, observer: name))
        }
        do {
            try await runner.run(steps, nil)
        } catch {
            let failure: any Error =
                switch error {
                case let refusal as CallRun.Refusal: refusal.error.completed(authenticationMethod: authenticationMethod)
                case let error as CountersignError: error.completed(authenticationMethod: authenticationMethod)
                default: error
                }
            guard let issued = runner.token?.issued else { throw failure }
            throw IncompleteGrant(issued: issued, error: failure)
        }
        guard let issued = runner.token?.issued else {
            // The generator never creates such a grant, but a handwritten program may contain one.
            throw CountersignError(
                .tokenRequestFailed, detail: "the grant '\(name)' has no step that returns a token",
                authenticationMethod: authenticationMethod)
        }
        return issued
    }

    private var cancelled: any Error {
        method.error(
            method.program.failures[.cancelled],
            or: CountersignError(.cancelled, detail: "the authentication was cancelled", authenticationMethod: authenticationMethod)
        )
    }
}
