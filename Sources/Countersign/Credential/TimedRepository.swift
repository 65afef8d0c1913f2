internal import Synchronization

/// A store that is waited for only within the time limit of a flight, ``SessionConfiguration/flightTimeout``.
///
/// A call of an application's store can block forever, for example while a keychain is locked. A flight abandons such a call at its
/// own time limit, but logouts, first reads and renewals are not bound to a flight. So each wait for a store ends with
/// ``CountersignError/Code/timedOut``, which is handled like any other failure of the store.
///
/// Only the wait ends, not the call, so nothing is lost: stores make their changes in order, and each change is made once the store
/// answers, unless it is no longer wanted by then. Cancellation ends the wait for a read or for the deletion of a logout. It does
/// not end the wait for a change, whose outcome decides whether the change is repeated.
///
/// The wait for the store's lock has its own time limit.
struct TimedRepository: CredentialRepository {
    /// The number of unanswered calls.
    private final class Calls: Sendable {
        private let number = Atomic(0)

        var count: Int { number.load(ordering: .acquiring) }

        func begin() { _ = number.add(1, ordering: .acquiringAndReleasing) }
        func end() { _ = number.subtract(1, ordering: .acquiringAndReleasing) }
    }

    private let base: any CredentialRepository
    private let calls = Calls()
    private let limit: Duration
    private let clock: any Clock<Duration>

    init(_ base: any CredentialRepository, _ configuration: SessionConfiguration) {
        self.base = base
        limit = configuration.flightTimeout
        clock = configuration.clock
    }

    var isShared: Bool { base.isShared }
    var locksOrFails: Bool { base.locksOrFails }
    var mustBeRead: Bool { base.mustBeRead }
    var isUnanswered: Bool { calls.count > 0 }

    func isDamage(_ error: any Error) -> Bool { base.isDamage(error) }

    func load(_ place: ProtectionSpace) async throws -> CredentialEntry? {
        try await inTime(at: place.server) { [base] in try await base.load(place) }
    }

    func all() async throws -> [CredentialEntry] { try await inTime { [base] in try await base.all() } }

    /// Whether the entry may be missing although no process has logged out; `false` if the store does not answer.
    func mayHaveDropped(_ place: ProtectionSpace) async -> Bool {
        (try? await inTime { [base] in await base.mayHaveDropped(place) }) ?? false
    }

    func save(for place: ProtectionSpace, _ change: @escaping @Sendable () -> StoredChange?) async -> StoredOutcome {
        let saving = Task { try await inTime(at: place.server) { [base] in await base.save(for: place, change) } }
        do { return try await saving.value } catch { return .failed(error) }
    }

    func remove(
        _ entry: CredentialEntry, for place: ProtectionSpace, while isWanted: @escaping @Sendable () -> Bool
    ) async -> (any Error)? {
        let removing = Task {
            try await inTime(at: place.server) { [base] in await base.remove(entry, for: place, while: isWanted) }
        }
        do { return try await removing.value } catch { return error }
    }

    func requireLock() async throws { try await inTime { [base] in try await base.requireLock() } }

    func waitForDeletion() async throws { try await inTime { [base] in try await base.waitForDeletion() } }

    func turn(of place: ProtectionSpace) -> CredentialKey? { base.turn(of: place) }

    func exclusively<Success: Sendable>(
        for place: ProtectionSpace, timeout: Duration, unless found: @escaping @Sendable () async throws -> Success?,
        _ work: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        try await base.exclusively(for: place, timeout: timeout, unless: found, work)
    }

    func note(_ place: ProtectionSpace) { base.note(place) }
    func disown() { base.disown() }
    func discard(at now: Duration) { base.discard(at: now) }
    func discard(_ origin: Origin, at now: Duration) { base.discard(origin, at: now) }
    func tend(_ place: ProtectionSpace, at now: Duration) { base.tend(place, at: now) }

    /// Waits for a call of the store.
    ///
    /// - Throws: The error of the call; ``CountersignError/Code/timedOut``; `CancellationError`.
    private func inTime<Value: Sendable>(
        at server: Origin? = nil, _ call: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        calls.begin()
        let result: Result<Value, any Error> = try await firstValue { [limit, clock, calls] deliver in
            defer { calls.end() }
            let limiting = Task {
                guard (try? await clock.sleep(for: limit)) != nil else { return }
                deliver(
                    .failure(CountersignError(.timedOut, detail: "the store did not answer within \(limit)", origin: server)))
            }
            defer { limiting.cancel() }
            do { return .success(try await call()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
