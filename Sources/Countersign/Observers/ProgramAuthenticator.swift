#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes
internal import Logging
internal import Synchronization

/// Runs a method whose login leaves its credential in a session's cookies: explicitly, or for the observer that answers its
/// challenges.
///
/// An authenticator may serve several sessions. In each it has one login at a time, shared by all callers that need it.
public final class ProgramAuthenticator: Sendable {
    /// Its pages that wait for another application; `nil` if the method has none.
    let callbacks: AuthenticatorCallbacks?
    let program: MethodProgram
    /// The values of the parameters, by slot.
    let values: [ProgramValue]
    private let presenter: (any WebPresenter)?
    private let tools: ProgramTools
    private let error: PreparedProgram.MakesError
    /// Whether any challenge is recognised by a body.
    let comparesBodies: Bool
    private let challenges: [CompiledChallenge]
    private let warnings = SaidOnce()
    private let sessions = Mutex(AuthenticatorSessions())

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - parameters: What the method needs to know.
    ///   - presenter: Shows its pages; `nil` takes the session's own.
    public convenience init<Parameters: ProgramParameters>(_ parameters: Parameters, presenter: (any WebPresenter)? = nil) {
        self.init(
            Parameters.program, values: parameters.values, presenter: presenter, tools: Parameters.allTools,
            error: Parameters.error)
    }

    /// - Parameters:
    ///   - values: Those of the parameters, by slot.
    ///   - tools: What its steps need.
    ///   - error: Makes an error of the method's own.
    package init(
        _ program: MethodProgram, values: [ProgramValue], presenter: (any WebPresenter)? = nil,
        tools: ProgramTools = ProgramTools(),
        error: @escaping @Sendable (_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)?
    ) {
        self.program = program
        self.values = values
        self.presenter = presenter
        self.tools = tools
        self.error = error
        callbacks = AuthenticatorCallbacks(of: program)
        challenges = program.challenges.compactMap { CompiledChallenge($0, values) }
        comparesBodies = challenges.contains(where: \.comparesBody)
    }

    /// Authenticates now, without a challenge. Challenges to requests that are under way are then answered by a resend alone.
    ///
    /// - Throws: the method's error for one that is busy if an authentication of this authenticator is under way in the session; the method's
    ///   other errors; ``CountersignError``; `CancellationError`.
    public func authenticate(in session: Session) async throws { try await manager(in: session).authenticate(in: session) }

    /// Authenticates in the session that an observer with this authenticator is registered on.
    ///
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/invalidRequest`` if there is none; what ``authenticate(in:)``
    ///   throws.
    public func authenticate() async throws {
        guard let session = registeredSession else {
            throw CountersignError(
                .invalidRequest, detail: "no observer of this authenticator is registered on a session; name the session",
                authenticationMethod: program.name)
        }
        try await authenticate(in: session)
    }

    /// Ends the authentications that are under way, in whatever session; all callers that wait for one get the method's error for a
    /// dismissed page. Does nothing when there is none.
    public func cancel() {
        for session in sessions.withLock({ $0.used }) { session.flights.manager(for: self)?.cancel() }
    }

    /// Whether the head of a response that came from `url` is a challenge of this method.
    ///
    /// A pattern with a text of the body matches no head alone.
    public func matches(_ response: HTTPResponse, url: URL) -> Bool { challenges.match(response, from: url) }

    /// What keeps challenges from ever matching, by their names.
    private var defects: [(name: String, defect: String)] {
        challenges.compactMap { challenge in challenge.signature.defect.map { (challenge.signature.name, $0) } }
    }
}

// MARK: - Sessions

extension ProgramAuthenticator {
    /// The session that an observer with this authenticator was registered on last, and still is.
    package var registeredSession: Session? { sessions.withLock { $0.registered } }

    /// The review of the observer that is registered on a session.
    private func review(in session: Session) -> AuthenticationReview? {
        sessions.withLock { $0.registered === session ? $0.review : nil }
    }

    /// What the method has in a session, which keeps nothing of the authenticator's alive that could keep the session alive.
    func manager(in session: Session) -> CredentialManager {
        session.flights.manager(for: self) {
            sessions.withLock { $0.note(session) }
            return CredentialManager(
                PreparedProgram(
                    program, values: values, presenter: { [weak self] in self?.presenter }, callbacks: callbacks,
                    review: { [weak self] in self?.review(in: $0) }, warnings: warnings, tools: tools, error: error))
        }
    }

    func noteRegistration(on session: Session, review: AuthenticationReview?) {
        sessions.withLock { sessions in
            sessions.registered = session
            sessions.review = review
        }
        let defects = defects
        guard !defects.isEmpty, sessions.withLock({ $0.takeDefectReport() }) else { return }
        for (name, defect) in defects {
            session.configuration.logger?.warning(
                "a challenge signature can never match", metadata: ["signature": "\(program.name).\(name)", "reason": "\(defect)"])
        }
    }

    func forgetRegistration(on session: Session) {
        sessions.withLock { sessions in
            guard sessions.registered === session else { return }
            sessions.registered = nil
            sessions.review = nil
        }
        session.flights.manager(for: self)?.end(isRegistered: false, in: session)
    }
}
