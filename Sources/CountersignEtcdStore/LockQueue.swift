internal import Countersign
internal import Foundation
internal import Synchronization

/// The queue for a lock in the cluster. Each process has a key in it, which is attached to the process's own lease, and the
/// oldest key has the lock.
///
/// Every other process waits until the key before its own is deleted, so each release of the lock wakes one process.
struct LockQueue: Sendable {
    let gateway: Gateway
    /// The prefix of the keys' names.
    let name: String
    let lifetime: Duration
    /// The maximum time of looking for a member that answers, even if more time is left.
    let patience: Duration

    /// Waits for the lock.
    ///
    /// - Throws: `CredentialStoreError`; `CancellationError`.
    func join(until deadline: ContinuousClock.Instant, for store: ObjectIdentifier) async throws -> HeldLock {
        while true {
            try Task.checkCancellation()
            let asked = ContinuousClock.now
            let lease = try await grant(until: deadline)
            let life = LeaseLife(lease.ID, lasting: lifetime, from: asked, gateway: gateway)
            do {
                // The result is `nil` if the lease has expired meanwhile. The process then joins the queue again at its end.
                if let lock = try await wait(with: life, until: deadline, for: store) { return lock }
            } catch {
                await life.end()
                try Task.checkCancellation()
                throw error
            }
            await life.end()
        }
    }

    private func wait(
        with life: LeaseLife, until deadline: ContinuousClock.Instant, for store: ObjectIdentifier
    ) async throws -> HeldLock? {
        let own = KeyRange(name + String(life.lease.value, radix: 16))
        let all = KeyRange(prefix: name)
        var first = Transaction.Range(all)
        first.limit = 1
        first.sort_order = "ASCEND"
        first.sort_target = "CREATE"
        guard let entry = try await enter(own, with: life.lease, and: first, until: deadline) else { return nil }
        guard let place = entry.found(1).first?.create_revision else { return nil }
        if entry.found(2).first?.create_revision == place { return HeldLock(life, own, all, place, store) }
        var before = Transaction.Range(all)
        before.limit = 1
        before.sort_order = "DESCEND"
        before.sort_target = "CREATE"
        before.max_create_revision = Number(place.value - 1)
        while true {
            guard ContinuousClock.now < deadline else { throw Self.timedOut(name) }
            let seen = try await gateway.transact(
                Transaction(success: [.range(.init(own)), .range(before)]), within: patience(until: deadline), endsWithTask: true)
            guard seen.found(0).first?.create_revision == place else { return nil }
            guard let next = seen.found(1).first else { return HeldLock(life, own, all, place, store) }
            try await withThrowingTaskGroup { group in
                group.addTask { [gateway] in
                    try await gateway.awaitChange(
                        of: KeyRange(String(decoding: next.key, as: UTF8.self)), since: seen.header.latest)
                }
                group.addTask { try await Task.sleep(until: deadline, clock: .continuous) }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    /// Adds the key to the queue, and reads the first key. Repetition has no effect, since the key keeps its creation revision.
    ///
    /// - Returns: The result of the transaction; `nil` if the lease has expired.
    private func enter(
        _ own: KeyRange, with lease: Number, and first: Transaction.Range, until deadline: ContinuousClock.Instant
    ) async throws -> TransactionAnswer? {
        let put = Transaction.Put(key: own.start, value: Data(), lease: lease)
        do throws(CredentialStoreError) {
            return try await gateway.transact(
                Transaction(success: [.put(put), .range(.init(own)), .range(first)]), within: patience(until: deadline),
                endsWithTask: true)
        } catch {
            guard error.code == .leaseOver else { throw error }
            return nil
        }
    }

    private func grant(until deadline: ContinuousClock.Instant) async throws -> Lease {
        do throws(CredentialStoreError) {
            return try await gateway.grant(lifetime, within: patience(until: deadline))
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    private func patience(until deadline: ContinuousClock.Instant) -> Duration {
        min(patience, ContinuousClock.now.duration(to: deadline))
    }

    static func timedOut(_ name: String) -> CredentialStoreError {
        CredentialStoreError(.lockTimedOut, detail: "another task or process holds the lock for too long", path: name)
    }
}

/// A lock that this process holds, or held when it was last checked.
struct HeldLock: Sendable {
    /// The locks that the current task holds.
    @TaskLocal static var all: [HeldLock] = []

    let store: ObjectIdentifier
    /// The comparison that the lock is still held by this process.
    let isHeld: Transaction.Comparison
    /// The comparison that no process holds the lock or waits for it.
    let isFree: Transaction.Comparison
    private let life: LeaseLife

    /// Whether the lock is held by the clock of this machine: its lease has not expired.
    var isAlive: Bool { life.isAlive }

    fileprivate init(_ life: LeaseLife, _ own: KeyRange, _ all: KeyRange, _ place: Number, _ store: ObjectIdentifier) {
        self.life = life
        self.store = store
        isHeld = .created(own, at: place)
        isFree = .created(all, at: 0)
    }

    /// Runs an operation, and then releases the lock.
    func use<Success: Sendable>(_ operation: @Sendable () async throws -> Success) async throws -> Success {
        do {
            let success = try await Self.$all.withValue(Self.all + [self]) { try await operation() }
            await life.end()
            return success
        } catch {
            await life.end()
            throw error
        }
    }
}

/// A lease that is kept alive until it is ended.
private final class LeaseLife: Sendable {
    let lease: Number
    private let gateway: Gateway
    /// The expiration time, unless it is kept alive again.
    private let expiry: Mutex<ContinuousClock.Instant>
    private let keeping = Mutex<Task<Void, Never>?>(nil)

    init(_ lease: Number, lasting lifetime: Duration, from start: ContinuousClock.Instant, gateway: Gateway) {
        self.lease = lease
        self.gateway = gateway
        expiry = Mutex(start.advanced(by: lifetime))
        let task = Task.detached { [weak self] in
            while let end = self?.expiry.withLock({ $0 }), ContinuousClock.now < end {
                guard (try? await Task.sleep(for: lifetime / 3)) != nil else { return }
                let asked = ContinuousClock.now
                let isThere = try? await gateway.keepAlive(lease, within: max(asked.duration(to: end), .zero))
                if let isThere { self?.expiry.withLock { $0 = isThere ? asked.advanced(by: lifetime) : asked } }
            }
        }
        keeping.withLock { $0 = task }
    }

    var isAlive: Bool { expiry.withLock { ContinuousClock.now < $0 } }

    /// Revokes the lease, and with it the place in the queue. In a cluster that cannot be reached, the lease expires by itself.
    func end() async {
        keeping.withLock { $0 }?.cancel()
        try? await gateway.revoke(lease, within: .seconds(2))
    }
}
