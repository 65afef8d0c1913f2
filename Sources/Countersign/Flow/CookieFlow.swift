/// A flow whose success shows in cookies: runs the steps, or the application's own authentication in their place, once.
struct CookieFlow<Parameters: Sendable, Failure: AuthenticationError>: Sendable {
    let context: FlowContext<Failure>
    let parameters: Parameters
    let steps: [Step<Parameters, Failure>]

    private var session: Session { context.session }

    /// Runs the steps, on cookies of their own, and returns how the session takes over what they brought.
    ///
    /// - Parameter review: Has a say before that; runs in the scope of the flow.
    func run(_ scope: FlightScope, reviewedBy review: AuthenticationReview?) async throws -> FlightCoordinator.Commit {
        let epoch = session.epoch
        let before = session.cookies.snapshot()
        var run = FlowRun(context, values: parameters, cookies: before)
        try await run.run(steps)
        guard let review, review.isWanted() else {
            return commit(session.cookies.change(adopting: run.cookies, since: before), epoch: epoch)
        }
        let provisional = session.cookies.fork()
        provisional.adopt(run.cookies, since: before)
        return try await reviewed(provisional, since: before, scope, review, epoch: epoch)
    }

    /// Runs the application's own authentication, which leaves the cookies in the jar by itself.
    func run(
        _ own: @Sendable (Session) async throws -> Void, _ scope: FlightScope, reviewedBy review: AuthenticationReview?
    ) async throws -> FlightCoordinator.Commit {
        let epoch = session.epoch
        let before = session.cookies.snapshot()
        try await own(session)
        guard let review, review.isWanted() else { return commit(nil, epoch: epoch) }
        // What it left in the jar is taken out again until the review has ended.
        let provisional = session.cookies.fork()
        let after = provisional.snapshot()
        guard session.changeCookies(in: epoch, session.cookies.change(adopting: before, since: after)) else {
            throw FlightFailure.sessionEnded
        }
        return try await reviewed(provisional, since: before, scope, review, epoch: epoch)
    }

    private func reviewed(
        _ provisional: CookieJar, since before: CookieJar.Snapshot, _ scope: FlightScope, _ review: AuthenticationReview,
        epoch: SessionEpoch
    ) async throws -> FlightCoordinator.Commit {
        try await scope.review(review, of: .cookies(provisional), in: session)
        return commit(session.cookies.change(adopting: provisional.snapshot(), since: before), epoch: epoch)
    }

    private func commit(_ change: CookieJar.Change?, epoch: SessionEpoch) -> FlightCoordinator.Commit {
        { [session] in
            guard session.changeCookies(in: epoch, change) else { throw FlightFailure.sessionEnded }
        }
    }
}
