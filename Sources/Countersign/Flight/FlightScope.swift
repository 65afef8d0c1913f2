#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

/// Distinguishes the requests that a flow sends from the requests that wait for the flow.
///
/// A flow may send requests through the session that it authenticates. Such a request must not wait for the flow, which would
/// wait for itself. So the authentications that it is part of do not answer its challenges, and it gets the response unchanged.
final class FlightScope: Sendable {
    /// The scope of the innermost flow that the current task is part of.
    @TaskLocal static var current: FlightScope?

    /// The number of the flow among those of its credential; `nil` if the flow is a renewal.
    let flight: UInt64?
    private let coordinator: FlightCoordinator
    private let outer: FlightScope?
    private let presenter: (any WebPresenter)?
    private let userCodePresenter: (any UserCodePresenter)?
    private let isOver = Atomic(false)
    /// The number of questions to the user that are open.
    private let questions = Atomic(0)
    private let provisional = Mutex<Provisional?>(nil)
    private let condition = Mutex(Condition())

    /// The condition under which the flow continues. The closure is in a struct, since Swift 6.3 wraps a closure in another one
    /// each time it is read from a `Mutex`.
    private struct Condition {
        var isWanted: @Sendable () throws -> Void = {}
    }

    /// The credential under review.
    private struct Provisional {
        let credential: ProvisionalCredential
        let session: Session
        /// The signature of the challenge with which the server refused the credential in a request of the review; `nil` if it
        /// did not.
        var refusal: String?
    }

    /// Creates a scope for one run of a flow.
    ///
    /// - Parameters:
    ///   - outer: The flow whose request needed this one.
    ///   - presenter: The presenter of pages for sessions without their own presenter, in flows that begin within this one.
    ///   - userCodePresenter: The presenter of codes, likewise.
    ///   - flight: The number of the flow among those of its credential; `nil` if the flow is a renewal.
    init(
        of coordinator: FlightCoordinator, within outer: FlightScope?, presenter: (any WebPresenter)? = nil,
        userCodePresenter: (any UserCodePresenter)? = nil, flight: UInt64? = nil
    ) {
        self.flight = flight
        self.userCodePresenter = userCodePresenter
        self.coordinator = coordinator
        self.outer = outer
        self.presenter = presenter
    }

    /// The presenter of the innermost flow around the current task that has one. For example, a user who waits for a certificate
    /// sees the page by which the certificate is obtained.
    static var presenter: (any WebPresenter)? { first(\.presenter) }

    /// The presenter of codes, likewise.
    static var userCodePresenter: (any UserCodePresenter)? { first(\.userCodePresenter) }

    private static func first<Value>(_ value: (FlightScope) -> Value?) -> Value? {
        var scope = current
        while let candidate = scope {
            if let value = value(candidate), !candidate.isOver.load(ordering: .acquiring) { return value }
            scope = candidate.outer
        }
        return nil
    }

    /// The coordinator of the innermost running flow that the current task is part of; `nil` if there is none.
    static var innermost: FlightCoordinator? {
        var scope = current
        while let candidate = scope {
            if !candidate.isOver.load(ordering: .acquiring) { return candidate.coordinator }
            scope = candidate.outer
        }
        return nil
    }

    /// Records that the user has dismissed a login that the current task is part of, and with it the flows that need the login.
    ///
    /// Does nothing in a cancelled task, where it was not the user who closed the page.
    static func noteDismissal() {
        var scope = Task.isCancelled ? nil : current
        while let candidate = scope {
            if !candidate.isOver.load(ordering: .acquiring) { candidate.coordinator.noteDismissal() }
            scope = candidate.outer
        }
    }

    /// Whether the current task is part of a running flow of this coordinator. A task that outlives its flow is not.
    static func isInside(_ coordinator: FlightCoordinator) -> Bool {
        var scope = current
        while let candidate = scope {
            if candidate.coordinator === coordinator, !candidate.isOver.load(ordering: .acquiring) { return true }
            scope = candidate.outer
        }
        return false
    }

    /// Runs a flow.
    ///
    /// - Parameter isWanted: Throws once the flow is no longer wanted; called by ``requireWanted()``.
    func run<Result>(
        while isWanted: @escaping @Sendable () throws -> Void = {}, _ flow: () async throws -> Result
    ) async throws -> Result {
        // The flow may run again, after a store's lock was lost.
        isOver.store(false, ordering: .releasing)
        defer { isOver.store(true, ordering: .releasing) }
        condition.withLock { $0.isWanted = isWanted }
        try isWanted()
        return try await Self.$current.withValue(self, operation: flow)
    }

    /// Whether the flow waits for the user, for whom a logout does not wait.
    var isAsking: Bool { questions.load(ordering: .acquiring) > 0 }

    /// Records that the flow begins to wait for the user.
    func beginAsking() { _ = questions.add(1, ordering: .acquiringAndReleasing) }

    /// Records that the user's answer has arrived.
    func endAsking() { _ = questions.subtract(1, ordering: .acquiringAndReleasing) }

    /// Whether the flow and those that need it are still wanted: the user has not logged out. Cancellation does not count.
    var isWanted: Bool {
        var scope: FlightScope? = self
        while let candidate = scope {
            let isOver = candidate.isOver.load(ordering: .acquiring)
            if !isOver, (try? candidate.condition.withLock { $0.isWanted }()) == nil { return false }
            scope = candidate.outer
        }
        return true
    }

    /// Throws if a flow that the current task is part of is no longer wanted, because the user has logged out.
    ///
    /// Called immediately before a flow shows a page or sends a request to a server. Time passes between the start of a flow and
    /// that moment, for example while random values are created, and no login may begin after a logout.
    static func requireWanted() throws {
        var scope = current
        while let candidate = scope {
            if !candidate.isOver.load(ordering: .acquiring) { try candidate.condition.withLock { $0.isWanted }() }
            scope = candidate.outer
        }
        try Task.checkCancellation()
    }
}

// MARK: - Reviews

extension FlightScope {
    /// Has a login reviewed. On return, the login is accepted.
    ///
    /// - Parameters:
    ///   - review: The review; `nil` for none.
    ///   - credential: The credential that the requests of the review carry.
    ///   - session: The session that sends these requests.
    /// - Throws: The error of the review; ``ProvisionalRefusal`` if the review throws after ``noteRefusal(of:signature:)``.
    func review(
        _ review: AuthenticationReview?, of credential: ProvisionalCredential, in session: Session
    ) async throws {
        guard let review else { return }
        let identifier = UUID()
        provisional.withLock { $0 = Provisional(credential: credential, session: session) }
        session.state.withLock { $0.bypasses[identifier] = self }
        defer {
            session.state.withLock { $0.bypasses[identifier] = nil }
            provisional.withLock { $0 = nil }
        }
        do {
            try await review.review(session, identifier)
        } catch {
            guard let signature = provisional.withLock({ $0?.refusal }) else { throw error }
            throw ProvisionalRefusal(signature: signature)
        }
        try Self.requireWanted()
    }

    /// The cookies that a request of a review carries and changes in place of the session's; `nil` outside of a review.
    static func provisionalCookies(in session: Session) -> CookieJar? {
        find { _, credential, owner in
            guard case .cookies(let jar) = credential, owner === session else { return nil }
            return jar
        }
    }

    /// The credential that a request of a review carries; `nil` if the current task is not part of a review for this coordinator.
    static func provisionalCredential(of coordinator: FlightCoordinator) -> HeldCredential? {
        find { scope, credential, _ in
            guard case .credential(let credential) = credential, scope.coordinator === coordinator else { return nil }
            return credential
        }
    }

    /// Records that the server has refused the credential of this coordinator in a request of its review.
    static func noteRefusal(of coordinator: FlightCoordinator, signature: String) {
        let scope = find { scope, _, _ in scope.coordinator === coordinator ? scope : nil }
        scope?.provisional.withLock { $0?.refusal = signature }
    }

    private static func find<Result>(_ match: (FlightScope, ProvisionalCredential, Session) -> Result?) -> Result? {
        var scope = current
        while let candidate = scope {
            if let provisional = candidate.provisional.withLock({ $0 }),
                let result = match(candidate, provisional.credential, provisional.session)
            {
                return result
            }
            scope = candidate.outer
        }
        return nil
    }
}

extension Session {
    /// Whether the current task is part of an authentication.
    package static var isInsideFlow: Bool { FlightScope.current != nil }

    /// Whether the current task is part of a running authentication or sends a token request. Other requests may wait for its
    /// result.
    package static var isAuthenticating: Bool { TokenRequest.isUnderWay || FlightScope.innermost != nil }
}
