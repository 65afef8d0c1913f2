#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes
internal import Logging
internal import Synchronization

/// Runs a method whose credential is a session's cookies, explicitly or for the observer that answers its challenges.
///
/// An authenticator can serve several sessions. In each of them, all callers share one login at a time.
public final class ProgramAuthenticator: Sendable {
    /// The login pages that wait for another application; `nil` if the method has none.
    let callbacks: AuthenticatorCallbacks?
    let program: MethodProgram
    /// The values of the parameters, by slot.
    let values: [ProgramValue]
    private let presenter: (any WebPresenter)?
    private let tools: ProgramTools
    private let error: PreparedProgram.MakesError
    /// Whether any challenge is recognised by its body.
    let comparesBodies: Bool
    private let challenges: [CompiledChallenge]
    private let warnings = ReportedWarnings()
    private let sessions = Mutex(AuthenticatorSessions())

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the method.
    ///   - presenter: The presenter of login pages; `nil` uses the session's.
    public convenience init<Parameters: ProgramParameters>(_ parameters: Parameters, presenter: (any WebPresenter)? = nil) {
        self.init(
            Parameters.program, values: parameters.values, presenter: presenter, tools: Parameters.allTools,
            error: Parameters.error)
    }

    /// - Parameters:
    ///   - values: The values of the parameters, by slot.
    ///   - tools: The tools of its steps.
    ///   - error: Creates an error of the method.
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

    /// Authenticates now, without a challenge. Later challenges to running requests are answered by a resend.
    ///
    /// - Throws: The method's `busy` error if an authentication of this authenticator is running in the session; the method's other
    ///   errors; ``CountersignError``; `CancellationError`.
    public func authenticate(in session: Session) async throws { try await manager(in: session).authenticate(in: session) }

    /// Authenticates in the session on which an observer with this authenticator is registered.
    ///
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/invalidRequest`` if there is no such session; the errors of
    ///   ``authenticate(in:)``.
    public func authenticate() async throws {
        guard let session = registeredSession else {
            throw CountersignError(
                .invalidRequest, detail: "no observer of this authenticator is registered on a session; pass the session",
                authenticationMethod: program.name)
        }
        try await authenticate(in: session)
    }

    /// Cancels the running authentications in all sessions. All callers that wait for one get the method's error for a dismissed
    /// page. Does nothing if none is running.
    public func cancel() {
        for session in sessions.withLock({ $0.used }) { session.flights.manager(for: self)?.cancel() }
    }

    /// Returns whether the head of a response from `url` is a challenge of this method.
    ///
    /// A pattern that includes a text of the body does not match a head alone.
    public func matches(_ response: HTTPResponse, url: URL) -> Bool { challenges.match(response, from: url) }

    /// The reasons why challenges can never match, with the names of the challenges.
    private var defects: [(name: String, defect: String)] {
        challenges.compactMap { challenge in challenge.signature.defect.map { (challenge.signature.name, $0) } }
    }
}

// MARK: - Sessions

extension ProgramAuthenticator {
    /// The session on which an observer with this authenticator was registered last, if it still is.
    package var registeredSession: Session? { sessions.withLock { $0.registered } }

    /// The review of the observer that is registered on a session.
    private func review(in session: Session) -> AuthenticationReview? {
        sessions.withLock { $0.registered === session ? $0.review : nil }
    }

    /// Returns the method's credential manager in a session. It refers to the authenticator only weakly, since the authenticator
    /// could keep the session alive.
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
