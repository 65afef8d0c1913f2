/// Gets tokens by the steps of a grant.
///
/// However many ask at once, each run has random values of its own; that they share runs is the business of who asks.
final class GrantSource<Values: GrantValues, Failure: AuthenticationError>: TokenSource {
    private let method: GrantMethod<Failure>
    private let grant: TokenGrant<Values, Failure>
    private let parameters: Values.Parameters
    private let tokenSession: Session
    private let presenter: (any WebPresenter)?
    private let runs = CancellableRuns()
    private let warnings = SaidOnce()
    let renewals = SharedRenewals()
    let redirects: [AuthorizationRedirect]

    /// - Parameters:
    ///   - session: Sends the token requests.
    ///   - presenter: Shows the pages; `nil` takes that of the session that needs the token, then that of `session`.
    init(
        _ method: GrantMethod<Failure>, _ grant: TokenGrant<Values, Failure>, parameters: Values.Parameters, session: Session,
        presenter: (any WebPresenter)?
    ) {
        self.method = method
        self.grant = grant
        self.parameters = parameters
        tokenSession = session
        self.presenter = presenter
        let values = Values(parameters: parameters)
        redirects = grant.authenticate.compactMap { AuthorizationRedirect(of: $0, in: grant.authenticate, with: values) }
    }

    var authenticationMethod: String { method.name }
    /// The grant's name in the spec.
    var name: String { grant.name }
    var isInteractive: Bool { grant.authenticate.contains(where: \.isPresentation) }
    var isRenewing: Bool { !grant.refresh.isEmpty }
    var rejection: (any Error)? { method.rejection }
    var cancellation: (any Error)? { method.cancellation }

    func obtain(in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        try await obtain(in: session, clock: clock, unless: nil)
    }

    /// The same, but only if no other token is being got.
    ///
    /// - Throws: the method's `busy` error if one is.
    func obtainAlone(in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        try await obtain(in: session, clock: clock, unless: busy)
    }

    /// The error for a token that is asked for while another is being got.
    var busy: any Error {
        method.busy
            ?? CountersignError(
                .busy, detail: "an authentication of the same authenticator is running", authenticationMethod: method.name)
    }

    private func obtain(
        in session: Session, clock: TokenClock, unless busy: (any Error)?
    ) async throws -> OAuth2IssuedToken {
        try AuthorizationRedirect.requireUnshared(redirects, in: session, of: method.name)
        let run = run(in: session, clock: clock, renewing: nil)
        return try await runs.perform(unless: busy, orThrow: cancelled) { [grant] in
            var run = run
            try await run.run(grant.authenticate)
            return run.issued
        } ?? unfinished()
    }

    func renew(_ token: OAuth2Token, in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        // A client that proves itself needs no refresh token to get another token (RFC 6749, section 4.4.3).
        guard isRenewing || isInteractive else {
            return try await renewals.renew(token, clock: clock) { try await self.obtain(in: session, clock: clock) }
        }
        guard isRenewing, token.refreshToken != nil else {
            let detail = "the token cannot be renewed: it has no refresh token, or the grant '\(grant.name)' has no way for one"
            throw method.invalidArgument?(detail)
                ?? CountersignError(.invalidRequest, detail: detail, authenticationMethod: method.name)
        }
        let run = run(in: session, clock: clock, renewing: token)
        return try await renewals.renew(token, clock: clock) { [grant] in
            var run = run
            run.values.token = token
            try await run.run(grant.refresh)
            return try run.issued ?? self.unfinished()
        }
    }

    func cancel() { runs.cancelAll() }

    func error(for failure: OAuth2TokenFailure) -> any Error {
        let steps = failure.isRenewal ? grant.refresh : grant.authenticate
        let described = RequestFailure(failure)
        if let index = failure.step, steps.indices.contains(index), case .request(let step) = steps[index],
            let error = step.failure(described)
        {
            return error
        }
        return CountersignError(
            .tokenRequestFailed, detail: described.summary, authenticationMethod: method.name, requestMethod: "POST",
            origin: described.origin, status: described.status)
    }

    private func run(in session: Session, clock: TokenClock, renewing: OAuth2Token?) -> FlowRun<Values, Failure> {
        let context = FlowContext<Failure>(
            authenticationMethod: method.name, invalidArgument: method.invalidArgument,
            presenter: presenter ?? session.configuration.presenter, session: tokenSession, clock: clock
        ) { [session, name = method.name, warnings] kind in
            if warnings.isNews(kind) { session.report(SessionEvent(kind, observer: name)) }
        }
        return FlowRun(context, values: Values(parameters: parameters), renewing: renewing)
    }

    private var cancelled: any Error {
        method.cancellation
            ?? CountersignError(.cancelled, detail: "the authentication was cancelled", authenticationMethod: method.name)
    }

    /// Steps that bring no token: the generator makes no such grant, a hand may.
    private func unfinished() throws -> OAuth2IssuedToken {
        throw CountersignError(
            .tokenRequestFailed, detail: "the grant '\(grant.name)' has no step that brings a token",
            authenticationMethod: method.name)
    }
}

extension Step {
    /// Whether a person takes part.
    var isPresentation: Bool {
        if case .present = self { return true }
        return false
    }
}
