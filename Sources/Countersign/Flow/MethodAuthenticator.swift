#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes
internal import Logging
internal import Synchronization

/// Runs a method's flow for a session: one at a time, shared by all who need it.
///
/// An authenticator may serve several sessions. In each it has one flight at a time, and its own count of generations.
public final class MethodAuthenticator<Parameters: Sendable, Failure: AuthenticationError>: Sendable {
    /// The method that is run.
    public let method: Method<Parameters, Failure>
    /// What it is run with.
    public let parameters: Parameters
    /// Shows the pages of the flow; `nil` takes the session's own.
    public let presenter: (any WebPresenter)?

    /// The challenges, ready to compare.
    let signatures: [CompiledSignature]
    /// Its pages that wait for another application; `nil` if the method has none.
    let callbacks: AuthenticatorCallbacks?
    private let warnings = SaidOnce()
    private let sessions = Mutex(AuthenticatorSessions())

    /// Makes an authenticator.
    public init(method: Method<Parameters, Failure>, parameters: Parameters, presenter: (any WebPresenter)? = nil) {
        self.method = method
        self.parameters = parameters
        self.presenter = presenter
        callbacks = method.authenticate.lazy.compactMap(\.callback).first.map(AuthenticatorCallbacks.init)
        signatures = method.challenges.map { CompiledSignature($0.description(for: parameters)) }
    }

    /// Authenticates now, without a challenge. Challenges to requests that are under way are then answered by a resend alone.
    ///
    /// - Throws: the method's `busy` error if a flow of this authenticator is running; the method's other errors;
    ///   ``CountersignError``; `CancellationError`.
    public func authenticate(in session: Session) async throws {
        let flights = coordinator(in: session)
        try await translating {
            _ = try await flights.startAlone(
                operation: self.operation(
                    self.method.authenticate, in: session, flights: flights, review: self.registeredReview(in: session)))
        }
    }

    /// Authenticates in the session that an observer with this authenticator is registered on.
    ///
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/invalidRequest`` if there is none; what ``authenticate(in:)``
    ///   throws.
    public func authenticate() async throws {
        guard let session = registeredSession else {
            throw error(.invalidRequest, "no observer of this authenticator is registered on a session; name the session")
        }
        try await authenticate(in: session)
    }

    /// Ends the running flow, in whatever session; all who wait for it get the method's error for a dismissed page. Does nothing
    /// when no flow runs.
    public func cancel() {
        for session in sessions.withLock({ $0.used }) { session.flights.coordinator(for: self)?.cancel() }
    }

    /// Whether the head of a response that came from `url` is a challenge of this method.
    ///
    /// A signature with a text of the body matches no head alone.
    public func matches(_ response: HTTPResponse, url: URL) -> Bool { signatures.first(matching: response, from: url) != nil }

    /// The name of the first signature that a response matches.
    func signature(matching response: HTTPResponse, in exchange: ExchangeContext) -> String? {
        signatures.first(matching: response, from: exchange.url, bodyPrefix: exchange.bodyPrefix)?.name
    }
}

// MARK: - Sessions

extension MethodAuthenticator {
    /// The session that an observer with this authenticator was registered on last, and still is.
    package var registeredSession: Session? { sessions.withLock { $0.registered } }

    /// The review of the observer that is registered on a session.
    private func registeredReview(in session: Session) -> AuthenticationReview? {
        sessions.withLock { $0.registered === session ? $0.review : nil }
    }

    func noteRegistration(on session: Session, review: AuthenticationReview? = nil) {
        sessions.withLock { sessions in
            sessions.registered = session
            sessions.review = review
        }
        let defects = signatures.compactMap { signature in signature.defect.map { (signature.name, $0) } }
        guard !defects.isEmpty, sessions.withLock({ $0.takeDefectReport() }) else { return }
        for (name, defect) in defects {
            session.configuration.logger?.warning(
                "a challenge signature can never match", metadata: ["signature": "\(method.name).\(name)", "reason": "\(defect)"])
        }
    }

    func forgetRegistration(on session: Session) {
        sessions.withLock { sessions in
            guard sessions.registered === session else { return }
            sessions.registered = nil
            sessions.review = nil
        }
        session.flights.coordinator(for: self)?.endSession()
    }

    /// The flights of this authenticator in a session.
    func coordinator(in session: Session) -> FlightCoordinator {
        session.flights.coordinator(for: self) {
            sessions.withLock { $0.note(session) }
            let configuration = session.configuration
            let limits = FlightCoordinator.Limits(
                timeout: isInteractive ? configuration.interactiveTimeout : configuration.flightTimeout,
                isInteractive: isInteractive,
                maximumAttempts: configuration.maximumAuthentications, window: configuration.authenticationWindow,
                dismissalCoolDown: configuration.dismissalCoolDown, isShared: configuration.sharesAuthentications)
            return FlightCoordinator(limits: limits, clock: configuration.clock) {
                [weak self, weak session, name = method.name, isInteractive] report in
                guard let session else { return }
                session.report(SessionEvent(report, interactive: isInteractive, authenticationMethod: name))
                guard let self, case .failed(let error) = report else { return }
                let told = (error as? FlightFailure).map(self.translation) ?? error
                self.registeredReview(in: session)?.failed(session, told)
            }
        }
    }

    private var isInteractive: Bool { method.authenticate.contains(where: \.isPresentation) }
}

// MARK: - Challenges

extension MethodAuthenticator {
    /// Answers a challenge: by the method's steps, or by the application's own authentication in their place.
    func answer(
        _ challenge: ChallengeOccurrence, to exchange: ExchangeContext, own: (@Sendable (Session) async throws -> Void)?,
        review: AuthenticationReview? = nil
    ) async throws {
        let session = exchange.session
        let flights = coordinator(in: session)
        try await translating {
            if challenge.isRepeated, challenge.generation >= flights.generation {
                return try await self.answerRepeated(challenge, to: exchange, flights: flights, review: review)
            }
            _ = try await flights.ensureNewer(
                than: challenge.generation, begun: exchange.number,
                operation: self.operation(self.method.authenticate, in: session, flights: flights, own: own, review: review))
        }
    }

    /// The newest credential was refused: the steps that the spec has for it, and no second authentication of the same kind.
    private func answerRepeated(
        _ challenge: ChallengeOccurrence, to exchange: ExchangeContext, flights: FlightCoordinator, review: AuthenticationReview?
    ) async throws {
        for case .fail(let failure) in method.afterResend.prefix(1) { throw failure }
        guard !method.afterResend.isEmpty else {
            throw error(.challengedAgain, "the server challenges again although the authentication had succeeded")
        }
        _ = try await flights.ensureNewer(
            than: challenge.generation, begun: exchange.number,
            operation: operation(method.afterResend, in: exchange.session, flights: flights, review: review))
    }

    private func operation(
        _ steps: [Step<Parameters, Failure>], in session: Session, flights: FlightCoordinator,
        own: (@Sendable (Session) async throws -> Void)? = nil, review: AuthenticationReview?
    ) -> FlightCoordinator.Operation {
        let scope = FlightScope(of: flights, within: FlightScope.current)
        let context = FlowContext<Failure>(
            authenticationMethod: method.name, invalidArgument: method.invalidArgument, presenter: presenter, session: session,
            clock: TokenClock(session.configuration.clock),
            report: { [session, name = method.name, warnings] kind in
                if warnings.isNews(kind) { session.report(SessionEvent(kind, observer: name)) }
            }, callbacks: callbacks)
        let flow = CookieFlow(context: context, parameters: parameters, steps: steps)
        return {
            let epoch = session.epoch
            // Ending the session cancels flights before it counts on: who is not cancelled now has the epoch that it began in.
            try Task.checkCancellation()
            return try await scope.run(while: { try session.requireCurrent(epoch) }) {
                if let own { return try await flow.run(own, scope, reviewedBy: review) }
                return try await flow.run(scope, reviewedBy: review)
            }
        }
    }
}

// MARK: - Errors

extension MethodAuthenticator {
    /// An error of the runtime that belongs to this method.
    func error(_ code: CountersignError.Code, _ detail: String, at origin: Origin? = nil) -> CountersignError {
        CountersignError(code, detail: detail, authenticationMethod: method.name, origin: origin)
    }

    private func translating(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let failure as FlightFailure {
            throw translation(of: failure)
        } catch let error as CountersignError {
            throw error.completed(authenticationMethod: method.name)
        }
    }

    private func translation(of failure: FlightFailure) -> any Error {
        let own: Failure? =
            switch failure {
            case .busy: method.busy
            case .cancelled: dismissal
            case .timedOut, .sessionEnded, .tooManyAttempts: nil
            }
        return own ?? CountersignError(failure, authenticationMethod: method.name)
    }

    /// What the method calls a login page that was closed.
    private var dismissal: Failure? {
        for case .present(let step) in method.authenticate { return step.failure(.dismissed) }
        return nil
    }
}
