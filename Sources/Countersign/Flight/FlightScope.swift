#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

/// Tells a request that a flow sends from the requests that wait for the flow.
///
/// A flow may send through the very session that it authenticates. Such a request must not wait for the flow: it would wait for
/// itself. So its challenges are not answered by the authentications that it is a part of, and it gets the response as it
/// is.
final class FlightScope: Sendable {
    /// The innermost flow that the present task is a part of.
    @TaskLocal static var current: FlightScope?

    private let coordinator: FlightCoordinator
    private let outer: FlightScope?
    private let presenter: (any WebPresenter)?
    private let userCodePresenter: (any UserCodePresenter)?
    private let isOver = Atomic(false)
    private let provisional = Mutex<Provisional?>(nil)
    private let condition = Mutex(Condition())

    /// Throws once the flow is no longer wanted. Not the closure itself: Swift 6.3 wraps one in another one each time that it is read from a
    /// `Mutex`.
    private struct Condition {
        var isWanted: @Sendable () throws -> Void = {}
    }

    /// What is reviewed.
    private struct Provisional {
        let credential: ProvisionalCredential
        let session: Session
        /// The signature by which the server has refused the credential to a request of the review.
        var refusal: String?
    }

    /// A scope for one run of a flow.
    ///
    /// - Parameters:
    ///   - outer: The flow whose request needed this one.
    ///   - presenter: Shows the pages of what is begun within the flow by sessions that have no presenter of their own.
    ///   - userCodePresenter: Shows codes likewise.
    init(
        of coordinator: FlightCoordinator, within outer: FlightScope?, presenter: (any WebPresenter)? = nil,
        userCodePresenter: (any UserCodePresenter)? = nil
    ) {
        self.userCodePresenter = userCodePresenter
        self.coordinator = coordinator
        self.outer = outer
        self.presenter = presenter
    }

    /// The presenter of the innermost flow around the present task that has one: a user who waits for a certificate, for example,
    /// sees the page by which it is obtained.
    static var presenter: (any WebPresenter)? { first(\.presenter) }

    /// Likewise what shows codes.
    static var userCodePresenter: (any UserCodePresenter)? { first(\.userCodePresenter) }

    private static func first<Value>(_ value: (FlightScope) -> Value?) -> Value? {
        var scope = current
        while let candidate = scope {
            if let value = value(candidate), !candidate.isOver.load(ordering: .acquiring) { return value }
            scope = candidate.outer
        }
        return nil
    }

    /// Whose flow the present task is a part of, the innermost one that is not over.
    static var innermost: FlightCoordinator? {
        var scope = current
        while let candidate = scope {
            if !candidate.isOver.load(ordering: .acquiring) { return candidate.coordinator }
            scope = candidate.outer
        }
        return nil
    }

    /// The user has dismissed a login, which the present task is a part of, and with it the flows that need it.
    ///
    /// Does nothing in a cancelled task: there it was not the user who closed the page.
    static func noteDismissal() {
        var scope = Task.isCancelled ? nil : current
        while let candidate = scope {
            if !candidate.isOver.load(ordering: .acquiring) { candidate.coordinator.noteDismissal() }
            scope = candidate.outer
        }
    }

    /// Whether the present task is a part of a flow of this coordinator. A task that a flow has left behind no longer is.
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
        defer { isOver.store(true, ordering: .releasing) }
        condition.withLock { $0.isWanted = isWanted }
        try isWanted()
        return try await Self.$current.withValue(self, operation: flow)
    }

    /// Throws if the flow that the present task is a part of is no longer wanted: the user has logged out.
    ///
    /// Asked right before a flow shows a page or asks a server: what happens between the start of a flow and that moment, such as the making
    /// of its random values, must not let a login begin after a logout.
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
    /// Has a login reviewed; on return it stands.
    ///
    /// - Parameters:
    ///   - review: The review; `nil` for none.
    ///   - credential: What the requests of the review carry.
    ///   - session: Where they are sent.
    /// - Throws: what the review throws; ``ProvisionalRefusal`` if it does so after ``noteRefusal(of:signature:)``.
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

    /// The cookies that a request of a review carries and changes in place of the session's.
    static func provisionalCookies(in session: Session) -> CookieJar? {
        find { _, credential, owner in
            guard case .cookies(let jar) = credential, owner === session else { return nil }
            return jar
        }
    }

    /// The credential that a request of a review carries, if the review is of this coordinator's.
    static func provisionalCredential(of coordinator: FlightCoordinator) -> HeldCredential? {
        find { scope, credential, _ in
            guard case .credential(let credential) = credential, scope.coordinator === coordinator else { return nil }
            return credential
        }
    }

    /// The server has refused the credential of this coordinator to a request of its review.
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
