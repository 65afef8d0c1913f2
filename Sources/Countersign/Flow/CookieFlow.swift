/// A flow whose success shows in cookies: runs the steps, or the application's own authentication in their place, once.
struct CookieFlow<Parameters: Sendable, Failure: AuthenticationError>: Sendable {
    let context: FlowContext<Failure>
    let parameters: Parameters
    let steps: [Step<Parameters, Failure>]

    private var session: Session { context.session }

    /// Runs the steps, on cookies of their own, and returns how the session takes over what they brought.
    func run() async throws -> FlightCoordinator.Commit {
        let epoch = session.epoch
        let before = session.cookies.snapshot()
        var run = FlowRun(context, values: parameters, cookies: before)
        try await run.run(steps)
        return commit(epoch: epoch) { [cookies = run.cookies] in $0.adopt(cookies, since: before) }
    }

    /// Runs the application's own authentication, which leaves the cookies in the jar by itself.
    func run(_ own: @Sendable (Session) async throws -> Void) async throws -> FlightCoordinator.Commit {
        let epoch = session.epoch
        try await own(session)
        return commit(epoch: epoch) { _ in }
    }

    private func commit(epoch: SessionEpoch, _ change: @escaping @Sendable (CookieJar) -> Void) -> FlightCoordinator.Commit {
        { [session] in
            guard session.changeCookies(in: epoch, change) else { throw FlightFailure.sessionEnded }
        }
    }
}
