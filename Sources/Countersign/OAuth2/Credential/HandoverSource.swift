internal import Synchronization

/// Obtains the first token by a grant with single-use parameters, and all others by its successor.
///
/// The parameters of the first grant are released as soon as they are useless: when a request with them may have reached the
/// server, regardless of its result, or when their lifetime has ended. An attempt that ends before anything was sent keeps them
/// for the next one. All requests that wait for that attempt get its error. A login by the successor begins only with the next
/// request, because a user who has just entered a secret expects no page that asks for another.
final class HandoverSource: TokenSource {
    private enum State {
        case unused(GrantSource)
        case inUse(GrantSource)
        case used
    }

    private let next: GrantSource
    /// Creates the error for parameters that can no longer be used.
    private let unusable: @Sendable (_ detail: String) -> any Error
    /// The origins that may receive the token, as far as the first parameters name them.
    let origins: ProtectedOrigins?
    private let life: HandoverLife
    private let state: Mutex<State>

    /// - Parameters:
    ///   - life: The lifetime of the parameters of `first` from now on, unless ``HandoverLife/remaining`` says that they are
    ///     older; `nil` for an unlimited one.
    ///   - session: The session that sends the token requests. Its clock measures the lifetime.
    ///   - presenter: The presenter of the successor's pages.
    init(
        _ first: PreparedProgram, within life: Duration?, next: PreparedProgram, session: Session,
        presenter: (any WebPresenter)?
    ) {
        self.next = GrantSource(next, session: session, presenter: presenter)
        // This closure must not retain the single-use parameters.
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
    var session: Session? { next.session }
    var presenter: (any WebPresenter)? { next.presenter }

    func obtain(in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        guard let first = try begin() else { return try await next.obtain(in: session, clock: clock) }
        return try await use(first) { try await first.obtain(in: session, clock: clock) }
    }

    /// Obtains a token, but only if no other token is being obtained.
    ///
    /// - Throws: The method's `busy` error if another token is being obtained.
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

    /// Returns the first grant for its single use; `nil` if it was used before.
    ///
    /// - Throws: The method's error if the lifetime has ended.
    private func begin() throws -> GrantSource? {
        let isTooLate = life.isOver
        let taken = state.withLock { state -> GrantSource? in
            guard case .unused(let first) = state else { return nil }
            state = isTooLate ? .used : .inUse(first)
            return first
        }
        guard isTooLate, let taken else { return taken }
        throw unusable("the grant '\(taken.name)' can only be used within \(life.text), and that time has passed")
    }

    private func use(
        _ first: GrantSource, _ work: () async throws -> OAuth2IssuedToken
    ) async throws -> OAuth2IssuedToken {
        var isUsed = true
        // From here on, only the callers may retain the parameters.
        defer { state.withLock { $0 = isUsed ? .used : .unused(first) } }
        let departure = TokenRequest.Departure()
        do {
            return try await TokenRequest.$departure.withValue(departure) { try await work() }
        } catch {
            // The attempt has ended, even if a request still waits for it, so a request that has not been sent never will be.
            isUsed = departure.hasHappened && !error.isUnprocessedRequest
            // The failure is converted here because the successor has other errors.
            throw first.translated(error)
        }
    }
}

extension Error {
    /// Whether this is a failed token request of which nothing has reached the server, according to the transport.
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

    /// The description of the lifetime in an error.
    let text: String
    private let left: (@Sendable () -> Duration)?

    /// - Parameters:
    ///   - life: The lifetime of new parameters; `nil` for an unlimited one.
    ///   - timeline: The timeline that measures the lifetime.
    init(_ life: Duration?, since timeline: Timeline) {
        text = if Self.remaining == nil, let life { "\(life)" } else { "a short time" }
        left = Self.remaining ?? life.map { Self.countdown(of: $0, on: timeline) }
    }

    /// Whether the lifetime has ended.
    var isOver: Bool { left.map { $0() <= .zero } ?? false }

    private static func countdown(of life: Duration, on timeline: Timeline) -> @Sendable () -> Duration {
        { life - timeline.elapsed() }
    }
}
