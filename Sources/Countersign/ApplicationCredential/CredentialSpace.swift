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
final class CredentialSpace<Source: CredentialSource>: CredentialHolder {
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
        /// What was refused in a row before `held`, and when that came.
        var attempts = (refused: [Source.Credential](), since: Duration.zero)
        /// The credential that was refused for good, and what came of that: the error of all requests that carried it, or were begun by then.
        var refusal: (generation: Generation, latest: ExchangeNumber, error: any Error)?
        /// Whether the store could not forget what was refused, or the user before: what it has then is not loaded.
        var isStoreStale = false
        /// A credential that could not be stored, and when to ask the store again.
        var unstored: (credential: Source.Credential, next: Duration)?
        /// Deletes what was stored for the user before.
        var deletion: Task<(any Error)?, Never>?
    }

    let place: CredentialPlace
    /// Tells the generations of this space from those of others: see ``carried(_:)``.
    let number: UInt64
    let coordinator: FlightCoordinator
    private let method: CredentialMethod
    private let source: Source
    private let review: AuthenticationReview?
    private let report: @Sendable (SessionEvent.Kind) -> Void
    private let timeline: Timeline
    private let window: Duration
    private let state = Mutex(State())
    /// What is written into the store: a deletion comes after every store that was begun before it.
    private let writes = OrderedTasks()

    /// How long to wait until a credential that could not be stored is stored again.
    private static var patience: Duration { .seconds(30) }

    /// - Parameters:
    ///   - review: Has a say on what the application gives, not on what the store has: that was reviewed before it was stored.
    ///   - failed: Is told of each flight that failed.
    init(
        _ place: CredentialPlace, number: UInt64, method: CredentialMethod, source: Source, limits: FlightCoordinator.Limits,
        clock: any Clock<Duration>, review: AuthenticationReview?, failed: @escaping @Sendable (any Error) -> Void,
        report: @escaping @Sendable (SessionEvent.Kind) -> Void
    ) {
        self.place = place
        self.number = number
        self.method = method
        self.source = source
        self.review = review
        self.report = report
        timeline = Timeline(clock)
        window = limits.window
        coordinator = FlightCoordinator(limits: limits, clock: clock) { [name = method.name] flight in
            report(SessionEvent(flight, interactive: limits.isInteractive, authenticationMethod: name).kind)
            if case .failed(let error) = flight { failed(error) }
        }
    }

    var isIdle: Bool { coordinator.waiterCount == 0 && state.withLock { $0.held == nil } }

    /// What a request can be given now.
    var readiness: Readiness {
        state.withLock { state in state.held.map { .credential($0, state.generation) } ?? .nothing }
    }

    /// What the requests of a review carry, if the present task is a part of the review of this space's credential; and the generation
    /// that it is going to be, as an exchange carries it.
    var provisional: (credential: Source.Credential, generation: Generation)? {
        guard let credential = FlightScope.provisionalCredential(of: coordinator) as? Source.Credential else { return nil }
        return (credential, carried(coordinator.generation.next))
    }

    /// A generation as an exchange carries it.
    func carried(_ generation: Generation) -> Generation { generation.carried(ofSpace: number) }

    private func own(_ carried: Generation) -> Generation? { carried.own(ofSpace: number) }

    /// Sees to another credential than the one that a challenged request had; returns at once if there is one.
    ///
    /// - Parameters:
    ///   - carried: What the request carried.
    ///   - signature: The signature of the challenge.
    ///   - question: What the application is asked, if it is.
    ///   - exchange: What needs it; its session is where a review sends its requests.
    /// - Throws: the method's errors; ``FlightFailure``; ``CountersignError``; `CancellationError`.
    func ensureOther(
        than carried: Generation, signature: String?, _ question: CredentialQuestion, for exchange: ExchangeContext
    ) async throws {
        do {
            let observed = try observed(by: carried, begun: exchange.number)
            try await ensureNewer(than: observed, signature: signature, question, for: exchange)
        } catch FlightFailure.cancelled {
            // The user has dismissed a question a while ago.
            throw cancellation
        }
    }

    private var cancellation: any Error {
        for case .ask(let failure) in method.authenticate {
            if let error = failure(.cancelled) { return error }
        }
        return unmapped(.cancelled)
    }

    /// The generation that a challenged request stands for.
    ///
    /// Credential and generation are read at once. A commit between two reads would show no credential, and the generation of the one that
    /// has just come, which would then count as refused.
    ///
    /// - Parameters:
    ///   - carried: What the request carried.
    ///   - begun: The exchange that the request is of.
    /// - Throws: What the carried credential was refused with for good.
    func observed(by carried: Generation, begun: ExchangeNumber) throws -> Generation {
        try state.withLock { state in
            let own = own(carried)
            // A request that carried the refused credential, or one before it, gets its error. So does one that carried none, but was begun
            // by then: it waited for the same answer. A later one starts over.
            if let refusal = state.refusal,
                own.map({ $0 <= refusal.generation }) ?? (state.held == nil && begun <= refusal.latest)
            {
                throw refusal.error
            }
            // A request without a credential is served by the present one; where there is none, by a flight.
            return state.held == nil ? state.generation : own ?? .none
        }
    }

    /// Sees to a credential newer than a generation; returns at once if there is one.
    func ensureNewer(
        than observed: Generation, signature: String?, _ question: CredentialQuestion, for exchange: ExchangeContext
    ) async throws {
        let session = exchange.session
        let scope = FlightScope(
            of: coordinator, within: FlightScope.current, presenter: session.configuration.presenter)
        _ = try await coordinator.ensureNewer(than: observed, begun: exchange.number) { [self] in
            let (refused, epoch) = state.withLock { ($0.held, $0.epoch) }
            try Task.checkCancellation()
            let attempt = Attempt(question, refused: refused.map { self.refusals() + [$0] } ?? [])
            let run = Run(session: session, scope: scope, epoch: epoch)
            let found = try await scope.run(while: { try self.verify(epoch) }) {
                do {
                    return try await find(insteadOf: refused, signature: signature, attempt, run)
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
            // Behind a store that is under way; one that is asked for later is of another epoch, and is not made.
            let deletion = deletes ? writes.enqueue { [self] in await deleteNow() } : state.deletion
            state = State(generation: max(generation, state.generation), epoch: state.epoch + 1, deletion: deletion)
        }
    }

    /// Returns when nothing is stored of the user who has logged out.
    ///
    /// - Throws: what keeps the store from forgetting.
    func forget() async throws {
        guard let error = await state.withLock({ $0.deletion })?.value else { return }
        throw error
    }

    /// What was refused in a row before the present credential.
    private func refusals() -> [Source.Credential] {
        let now = timeline.elapsed()
        return state.withLock { now - $0.attempts.since < window ? $0.attempts.refused : [] }
    }

    /// The server has accepted the credential of a generation that an exchange carried.
    func noteAccepted(_ carried: Generation) {
        state.withLock { state in
            if own(carried) == state.generation { state.isStored = true }
        }
    }

    /// What was begun for a session that has ended is for nobody.
    private func verify(_ epoch: UInt64) throws {
        guard state.withLock({ $0.epoch == epoch }) else { throw FlightFailure.sessionEnded }
    }

    private func commit(_ found: Found, epoch: UInt64) throws {
        let next = coordinator.generation.next
        let now = timeline.elapsed()
        try state.withLock { state in
            guard state.epoch == epoch else { throw FlightFailure.sessionEnded }
            state.held = found.credential
            state.isStored = found.isStored
            state.generation = next
            state.attempts = (found.refused, now)
        }
    }

    /// What was refused for good is not sent again: a later request starts over.
    private func forget(_ refused: Source.Credential?, because error: any Error, epoch: UInt64) {
        state.withLock { state in
            guard state.epoch == epoch, let refused, state.held == refused else { return }
            state.held = nil
            // That the flight was given up says nothing to requests that come later.
            if !Task.isCancelled { state.refusal = (state.generation, .latest, error) }
        }
    }
}

// MARK: - Steps

extension CredentialSpace {
    /// What the steps came to.
    private struct Found {
        let credential: Source.Credential
        let isStored: Bool
        var refused: [Source.Credential] = []
    }

    /// A question, and what was refused before it.
    private struct Attempt {
        let question: CredentialQuestion
        /// In a row, the latest at the end.
        let refused: [Source.Credential]

        init(_ question: CredentialQuestion, refused: [Source.Credential]) {
            self.question = question.after(refused.count)
            self.refused = refused
        }

        /// The same after one more refusal.
        func after(_ credential: Source.Credential) -> Attempt { Attempt(question, refused: refused + [credential]) }
    }

    /// One flight.
    private struct Run {
        let session: Session
        let scope: FlightScope
        let epoch: UInt64
    }

    /// The server has refused what the application gave to the requests of its review.
    private struct RefusedInReview: Error {
        let credential: Source.Credential
        let signature: String
        /// What it was asked for with.
        let attempt: Attempt
    }

    private func find(
        insteadOf refused: Source.Credential?, signature: String?, _ attempt: Attempt, _ run: Run
    ) async throws -> Found {
        // What a logout deletes is not found again.
        _ = await state.withLock { $0.deletion }?.value
        var (refused, signature, attempt) = (refused, signature, attempt)
        var wasStored = state.withLock { $0.isStored }
        while true {
            do {
                if let refused {
                    return try await replace(refused, wasStored: wasStored, signature: signature, attempt, run)
                }
                if let found = try await authenticate(attempt, insteadOf: nil, run) { return found }
                throw error(.credentialMissing, "there is no credential for \(place.origin)")
            } catch let refusal as RefusedInReview {
                // As if a request had come back with it. The method's own limit ends this: each refusal counts.
                refused = refusal.credential
                signature = refusal.signature
                attempt = refusal.attempt.after(refusal.credential)
                wasStored = false
            }
        }
    }

    /// The steps to a credential.
    ///
    /// - Parameter refused: The one before. If there was none, that there is none now is an error; otherwise `nil`.
    private func authenticate(
        _ attempt: Attempt, insteadOf refused: Source.Credential?, _ run: Run
    ) async throws -> Found? {
        var answer: Source.Credential?
        for step in method.authenticate {
            switch step {
            case .load:
                guard !state.withLock({ $0.isStoreStale }) else { continue }
                let stored = try await source.load(for: place)
                report(.ran(step: "load"))
                if let stored { return Found(credential: stored, isStored: true) }
            case .ask(let failure):
                answer = try await ask(attempt, isFirst: refused == nil, failure)
                report(.ran(step: "ask"))
                // What was refused just now is not used again, so that nobody need look at it.
                if let answer, answer != refused { try await review(answer, attempt, run) }
            case .store:
                if let answer { await store(answer, epoch: run.epoch) }
                report(.ran(step: "store"))
            case .delete: await delete(epoch: run.epoch)
            case .again, .againIfStored: continue
            case .fail(let error): throw error
            }
        }
        return answer.map { Found(credential: $0, isStored: false) }
    }

    /// The steps where the credential was refused.
    ///
    /// - Parameter wasStored: Whether it was more than an attempt.
    private func replace(
        _ refused: Source.Credential, wasStored: Bool, signature: String?, _ attempt: Attempt, _ run: Run
    ) async throws -> Found {
        for step in method.afterResend {
            switch step {
            case .delete: await delete(epoch: run.epoch)
            case .again(let limit):
                var attempt = attempt
                while attempt.refused.count <= limit {
                    guard var other = try await authenticate(attempt, insteadOf: refused, run) else { break }
                    other.refused = attempt.refused
                    if other.credential != refused { return other }
                    // The same again would be refused again; it is not sent for that.
                    await delete(epoch: run.epoch)
                    attempt = attempt.after(other.credential)
                }
            case .againIfStored:
                guard wasStored, var other = try await authenticate(attempt, insteadOf: refused, run) else { continue }
                other.refused = attempt.refused
                if other.credential != refused { return other }
                await delete(epoch: run.epoch)
            case .fail(let error): throw signature.flatMap { method.refusals[$0] } ?? error
            case .load, .ask, .store: continue
            }
        }
        throw error(.challengedAgain, "the server refuses the credential")
    }

    /// Has what the application gave reviewed; on return it stands, and can be stored.
    private func review(_ credential: Source.Credential, _ attempt: Attempt, _ run: Run) async throws {
        guard let review, review.isWanted() else { return }
        do {
            try await run.scope.review(review, of: .application(credential), in: run.session)
        } catch let refusal as ProvisionalRefusal {
            throw RefusedInReview(credential: credential, signature: refusal.signature, attempt: attempt)
        }
    }

    private func ask(
        _ attempt: Attempt, isFirst: Bool, _ failure: (CredentialFailure) -> (any AuthenticationError)?
    ) async throws -> Source.Credential? {
        let reason: CredentialFailure
        do {
            if let answer = try await source.ask(attempt.question, refused: attempt.refused) {
                // What cannot be sent is not kept.
                var fields = HTTPFields()
                try answer.attach(to: &fields, as: method.attachment)
                return answer
            }
            guard isFirst else { return nil }
            reason = .missing
        } catch let failure as CredentialFailure {
            if failure == .cancelled { FlightScope.noteDismissal() }
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

    private func isCurrent(_ epoch: UInt64) -> Bool { state.withLock { $0.epoch == epoch } }

    /// A credential that could not be stored is used all the same.
    private func store(_ credential: Source.Credential, epoch: UInt64) async {
        await writes.enqueue { [self] in
            guard isCurrent(epoch) else { return }
            await storeNow(credential, epoch: epoch)
        }.value
    }

    private func storeNow(_ credential: Source.Credential, epoch: UInt64) async {
        do {
            try await source.store(credential, for: place)
            state.withLock { state in
                guard state.epoch == epoch else { return }
                state.isStoreStale = false
                state.unstored = nil
            }
        } catch {
            let next = timeline.elapsed() + Self.patience
            state.withLock { if $0.epoch == epoch { $0.unstored = (credential, next) } }
            report(.notStored)
        }
    }

    /// Stores what could not be stored, after a while and beside the requests.
    func tend() {
        let now = timeline.elapsed()
        let epoch = state.withLock { state -> UInt64? in
            guard let unstored = state.unstored, now >= unstored.next else { return nil }
            state.unstored?.next = now + Self.patience
            return state.epoch
        }
        guard let epoch else { return }
        _ = writes.enqueue { [self] in
            // Here and not before: what was stored or deleted meanwhile is newer.
            let credential = state.withLock { $0.epoch == epoch ? $0.unstored?.credential : nil }
            if let credential { await storeNow(credential, epoch: epoch) }
        }
    }

    private func delete(epoch: UInt64) async {
        await writes.enqueue { [self] in
            if isCurrent(epoch) { await deleteNow() }
        }.value
    }

    /// - Returns: What keeps the store from forgetting.
    @discardableResult private func deleteNow() async -> (any Error)? {
        state.withLock { $0.unstored = nil }
        do {
            try await source.delete(for: place)
            state.withLock { $0.isStoreStale = false }
            return nil
        } catch {
            state.withLock { $0.isStoreStale = true }
            report(.notStored)
            return error
        }
    }
}
