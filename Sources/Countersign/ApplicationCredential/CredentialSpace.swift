#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

/// The credential of one ``CredentialPlace``: what requests carry, and how another one comes about for all who wait.
///
/// Whoever is challenged without a credential, or for the present one, joins one flight, which runs the method's steps. So a person is
/// asked once for any number of requests, and one error is the error of all.
final class CredentialSpace<Source: CredentialSource>: Sendable {
    /// What a request can be given now.
    enum Readiness {
        case nothing
        case credential(Source.Credential, Generation)
    }

    private struct State {
        var held: Source.Credential?
        var generation = Generation.none
        /// Whether `held` is more than an attempt: it came from the store, or the server has accepted it.
        var isStored = false
        /// Counts the users: what was begun for one is not kept for the next.
        var epoch: UInt64 = 0
        /// How many credentials were refused in a row before `held`, and when that came.
        var attempts = (refusals: 0, since: Duration.zero)
        /// The credential that was refused for good, and what came of that: the error of all requests that still carried it.
        var refusal: (generation: Generation, error: any Error)?
        /// Deletes what was stored for the user before.
        var deletion: Task<(any Error)?, Never>?
    }

    let place: CredentialPlace
    /// Tells the generations of this space from those of others: see ``carried(_:)``.
    let number: UInt64
    let coordinator: FlightCoordinator
    private let method: CredentialMethod
    private let source: Source
    private let report: @Sendable (SessionEvent.Kind) -> Void
    private let timeline: Timeline
    private let window: Duration
    private let state = Mutex(State())

    init(
        _ place: CredentialPlace, number: UInt64, method: CredentialMethod, source: Source, limits: FlightCoordinator.Limits,
        clock: any Clock<Duration>, report: @escaping @Sendable (SessionEvent.Kind) -> Void
    ) {
        self.place = place
        self.number = number
        self.method = method
        self.source = source
        self.report = report
        timeline = Timeline(clock)
        window = limits.window
        coordinator = FlightCoordinator(limits: limits, clock: clock) { [name = method.name] flight in
            report(SessionEvent(flight, interactive: limits.isInteractive, authenticationMethod: name).kind)
        }
    }

    /// What a request can be given now.
    var readiness: Readiness {
        state.withLock { state in state.held.map { .credential($0, state.generation) } ?? .nothing }
    }

    /// A generation as an exchange carries it: of whichever space, it is another one than those of all others.
    func carried(_ generation: Generation) -> Generation { Generation(number << 32 | generation.number) }

    /// The generation of this space that an exchange carried, if it carried one of this space.
    private func own(_ carried: Generation) -> Generation? {
        carried.number >> 32 == number ? Generation(carried.number & 0xFFFF_FFFF) : nil
    }

    /// Sees to another credential than the one that a challenged request had; returns at once if there is one.
    ///
    /// - Parameters:
    ///   - carried: What the request carried.
    ///   - signature: The signature of the challenge.
    ///   - question: What the application is asked, if it is.
    /// - Throws: the method's errors; ``FlightFailure``; ``CountersignError``; `CancellationError`.
    func ensureOther(than carried: Generation, signature: String?, _ question: CredentialQuestion) async throws {
        // Whoever still had it, or one before it, is told what came of it; only who comes with nothing starts over.
        if let refusal = state.withLock({ $0.refusal }), let own = own(carried), own <= refusal.generation { throw refusal.error }
        // Who had nothing is served by whatever is there now; with nothing there, by a flight.
        let observed = state.withLock { $0.held == nil } ? coordinator.generation : own(carried) ?? .none
        let scope = FlightScope(of: coordinator, within: FlightScope.current)
        _ = try await coordinator.ensureNewer(than: observed) { [self] in
            let (refused, epoch) = state.withLock { ($0.held, $0.epoch) }
            try Task.checkCancellation()
            let refusals = refused == nil ? 0 : self.refusals()
            let found = try await scope.run {
                do {
                    return try await find(insteadOf: refused, signature: signature, question.after(refusals), epoch: epoch)
                } catch {
                    forget(refused, because: error, epoch: epoch)
                    throw error
                }
            }
            return { [self] in try commit(found, epoch: epoch) }
        }
    }

    /// Ends the user's session here.
    ///
    /// - Parameter deletes: Whether what is stored goes, too: at a logout, but not when an observer is taken off its session.
    func end(deletes: Bool) {
        coordinator.endSession()
        let generation = coordinator.generation
        state.withLock { state in
            let before = state.deletion
            state = State(
                generation: generation, epoch: state.epoch + 1,
                deletion: deletes
                    ? Task.detached { [self] in
                        _ = await before?.value
                        return await delete()
                    } : before)
        }
    }

    /// Returns when nothing is stored of the user who has logged out.
    ///
    /// - Throws: what keeps the store from forgetting.
    func forget() async throws {
        guard let error = await state.withLock({ $0.deletion })?.value else { return }
        throw error
    }

    /// How many credentials were refused in a row, the present one included.
    private func refusals() -> Int {
        let now = timeline.elapsed()
        return state.withLock { now - $0.attempts.since < window ? $0.attempts.refusals + 1 : 1 }
    }

    /// The server has accepted the credential of a generation that an exchange carried.
    func noteAccepted(_ carried: Generation) {
        state.withLock { state in
            if own(carried) == state.generation { state.isStored = true }
        }
    }

    private func commit(_ found: Found, epoch: UInt64) throws {
        let next = coordinator.generation.next
        let now = timeline.elapsed()
        try state.withLock { state in
            guard state.epoch == epoch else { throw FlightFailure.sessionEnded }
            state.held = found.credential
            state.isStored = found.isStored
            state.generation = next
            state.attempts = (found.refusals, now)
        }
    }

    /// What was refused for good is not sent again: a later request starts over.
    private func forget(_ refused: Source.Credential?, because error: any Error, epoch: UInt64) {
        state.withLock { state in
            guard state.epoch == epoch, let refused, state.held == refused else { return }
            state.held = nil
            state.refusal = (state.generation, error)
        }
    }
}

// MARK: - Steps

extension CredentialSpace {
    /// What the steps came to.
    private struct Found {
        let credential: Source.Credential
        let isStored: Bool
        var refusals = 0
    }

    private func find(
        insteadOf refused: Source.Credential?, signature: String?, _ question: CredentialQuestion, epoch: UInt64
    ) async throws -> Found {
        // What a logout deletes is not found again.
        _ = await state.withLock { $0.deletion }?.value
        if refused != nil { return try await replace(refused, signature: signature, question, epoch: epoch) }
        if let found = try await authenticate(question, isFirst: true, epoch: epoch) { return found }
        throw error(.credentialMissing, "there is no credential for \(place.origin)")
    }

    /// The steps to a credential.
    ///
    /// - Parameter isFirst: Whether there was none before. Then that there is none is an error; otherwise `nil`.
    private func authenticate(_ question: CredentialQuestion, isFirst: Bool, epoch: UInt64) async throws -> Found? {
        var answer: Source.Credential?
        for step in method.authenticate {
            switch step {
            case .load:
                let stored = try await source.load(for: place)
                report(.ran(step: "load"))
                if let stored { return Found(credential: stored, isStored: true) }
            case .ask(let failure):
                answer = try await ask(question, isFirst: isFirst, failure)
                report(.ran(step: "ask"))
            case .store:
                if let answer { await store(answer, epoch: epoch) }
                report(.ran(step: "store"))
            case .delete: await delete()
            case .again, .againIfStored: continue
            case .fail(let error): throw error
            }
        }
        return answer.map { Found(credential: $0, isStored: false) }
    }

    /// The steps where the credential was refused.
    private func replace(
        _ refused: Source.Credential?, signature: String?, _ question: CredentialQuestion, epoch: UInt64
    ) async throws -> Found {
        let wasStored = state.withLock { $0.isStored }
        for step in method.afterResend {
            switch step {
            case .delete: await delete()
            case .again(let limit):
                var question = question
                while question.refusals <= limit {
                    guard var other = try await authenticate(question, isFirst: false, epoch: epoch) else { break }
                    other.refusals = question.refusals
                    if other.credential != refused { return other }
                    // The same again would be refused again; it is not sent for that.
                    await delete()
                    question = question.after(question.refusals + 1)
                }
            case .againIfStored:
                guard wasStored, var other = try await authenticate(question, isFirst: false, epoch: epoch) else { continue }
                other.refusals = question.refusals
                if other.credential != refused { return other }
                await delete()
            case .fail(let error): throw signature.flatMap { method.refusals[$0] } ?? error
            case .load, .ask, .store: continue
            }
        }
        throw error(.challengedAgain, "the server refuses the credential")
    }

    private func ask(
        _ question: CredentialQuestion, isFirst: Bool, _ failure: (CredentialFailure) -> (any AuthenticationError)?
    ) async throws -> Source.Credential? {
        let reason: CredentialFailure
        do {
            if let answer = try await source.ask(question) {
                // What cannot be sent is not kept.
                var fields = HTTPFields()
                try answer.attach(to: &fields, as: method.attachment)
                return answer
            }
            guard isFirst else { return nil }
            reason = .missing
        } catch let failure as CredentialFailure {
            reason = failure
        }
        throw failure(reason) ?? unmapped(reason)
    }

    private func unmapped(_ reason: CredentialFailure) -> any Error {
        switch reason {
        case .cancelled: error(.cancelled, "the application gave no credential")
        case .missing: error(.credentialMissing, "the application has no credential for \(place.origin)")
        case .unusable(let detail): error(.invalidRequest, "the application's credential cannot be used: \(detail)")
        }
    }

    private func error(_ code: CountersignError.Code, _ detail: String) -> CountersignError {
        CountersignError(code, detail: detail, authenticationMethod: method.name, origin: place.origin)
    }

    /// A credential that could not be stored is used all the same.
    private func store(_ credential: Source.Credential, epoch: UInt64) async {
        guard state.withLock({ $0.epoch == epoch }) else { return }
        do { try await source.store(credential, for: place) } catch { report(.notStored) }
    }

    @discardableResult private func delete() async -> (any Error)? {
        do {
            try await source.delete(for: place)
            return nil
        } catch {
            report(.notStored)
            return error
        }
    }
}
