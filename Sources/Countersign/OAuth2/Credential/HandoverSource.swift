internal import Synchronization

/// Gets the first token by a grant whose parameters are good for one use, and all others by the grant that takes over.
///
/// The parameters of the first are dropped as soon as they are of no use: when a request with them may have reached the server, however it
/// ended, or when their life is over. An attempt that ended before anything was sent leaves them for the next. All that wait for that one
/// attempt get its error. A login of the other kind begins with the next request and not by itself: a user who has just given a secret
/// expects no page that asks for another.
final class HandoverSource: TokenSource {
    private enum State {
        case unused(GrantSource)
        case inUse(GrantSource)
        case used
    }

    private let next: GrantSource
    /// Makes the error of parameters that cannot be used any more.
    private let unusable: @Sendable (_ detail: String) -> any Error
    /// The origins that may receive the token, as far as the first parameters name them.
    let origins: ProtectedOrigins?
    private let life: HandoverLife
    private let state: Mutex<State>

    /// - Parameters:
    ///   - life: How long the parameters of `first` can be used, from now on, unless ``HandoverLife/remaining`` says that they are older;
    ///     `nil` for as long as there is.
    ///   - session: Sends the token requests; its clock measures that.
    ///   - presenter: Shows the pages of the grant that takes over.
    init(
        _ first: PreparedProgram, within life: Duration?, next: PreparedProgram, session: Session,
        presenter: (any WebPresenter)?
    ) {
        self.next = GrantSource(next, session: session, presenter: presenter)
        // Of the parameters that are used once, nothing may be kept.
        unusable = { next.unusable($0, .invalidRequest) }
        let first = GrantSource(first, session: session, presenter: presenter)
        origins = first.origins
        self.life = HandoverLife(life, since: Timeline(session.configuration.clock))
        state = Mutex(.unused(first))
    }

    var authenticationMethod: String { next.authenticationMethod }
    var isInteractive: Bool { next.isInteractive }
    var isRenewing: Bool { next.isRenewing }
    var redirects: [AuthorizationRedirect] { next.redirects }

    func obtain(in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        guard let first = try begin() else { return try await next.obtain(in: session, clock: clock) }
        return try await use(first) { try await first.obtain(in: session, clock: clock) }
    }

    /// The same, but only if no other token is being got.
    ///
    /// - Throws: the method's `busy` error if one is.
    func obtainAlone(in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        if let running = state.withLock({ if case .inUse(let first) = $0 { first } else { nil } }) { throw running.busy }
        guard let first = try begin() else { return try await next.obtainAlone(in: session, clock: clock) }
        return try await use(first) { try await first.obtainAlone(in: session, clock: clock) }
    }

    func renew(_ token: OAuth2Token, in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        try await next.renew(token, in: session, clock: clock)
    }

    func cancel() {
        if case .inUse(let first) = state.withLock(\.self) { first.cancel() }
        next.cancel()
    }

    func error(for failure: OAuth2TokenFailure) -> any Error { next.error(for: failure) }

    /// Takes the first grant for its one use; `nil` if it has been taken.
    ///
    /// - Throws: the method's error if it is too late.
    private func begin() throws -> GrantSource? {
        let isTooLate = life.isOver
        let taken = state.withLock { state -> GrantSource? in
            guard case .unused(let first) = state else { return nil }
            state = isTooLate ? .used : .inUse(first)
            return first
        }
        guard isTooLate, let taken else { return taken }
        throw unusable("the grant '\(taken.name)' can be used within \(life.text) only, and that time is over")
    }

    private func use(
        _ first: GrantSource, _ work: () async throws -> OAuth2IssuedToken
    ) async throws -> OAuth2IssuedToken {
        var isUsed = true
        // Nothing is kept of the parameters but what callers hold.
        defer { state.withLock { $0 = isUsed ? .used : .unused(first) } }
        let departure = TokenRequest.Departure()
        do {
            return try await TokenRequest.$departure.withValue(departure) { try await work() }
        } catch {
            // The attempt has ended, whether or not a request still waits for it: what has not left by now never will.
            isUsed = departure.hasHappened && !error.isUnprocessedRequest
            // Here and not later: the other grant has other errors.
            if let failure = error as? OAuth2TokenFailure { throw first.error(for: failure) }
            throw error
        }
    }
}

extension Error {
    /// Whether the transport says of a token request that nothing of it has reached the server.
    fileprivate var isUnprocessedRequest: Bool {
        guard let failure = self as? OAuth2TokenFailure, case .transport(let error) = failure.reason else { return false }
        return !error.requestMayHaveBeenProcessed
    }
}

/// The lifetime of the parameters of a single-use grant.
///
/// The parameters may be older than their authenticator: the lifetime of a passcode begins when it is scanned. Such callers set
/// ``remaining`` while they create the authenticator, and the grant then uses that lifetime.
package struct HandoverLife: Sendable {
    /// Returns the remaining lifetime of the parameters of authenticators that are created in this task, evaluated when they are
    /// used; `nil` if they are new.
    @TaskLocal package static var remaining: (@Sendable () -> Duration)?

    /// How to call it in an error.
    let text: String
    private let left: (@Sendable () -> Duration)?

    /// - Parameters:
    ///   - life: How long new parameters can be used; `nil` for as long as there is.
    ///   - timeline: Measures that.
    init(_ life: Duration?, since timeline: Timeline) {
        text = if Self.remaining == nil, let life { "\(life)" } else { "a short time" }
        left = Self.remaining ?? life.map { Self.countdown(of: $0, on: timeline) }
    }

    /// Whether it is too late.
    var isOver: Bool { left.map { $0() <= .zero } ?? false }

    private static func countdown(of life: Duration, on timeline: Timeline) -> @Sendable () -> Duration {
        { life - timeline.elapsed() }
    }
}
