import Synchronization
import Testing

@testable import Countersign

/// The lock of a credential among the tasks of a process.
@Suite(.timeLimit(.minutes(10))) struct ExclusiveLockTests {
    private let clock = ManualClock()

    /// The events, in order.
    private final class Record: Sendable {
        private let entries = Mutex<[Int]>([])
        var all: [Int] { entries.withLock { $0 } }
        func add(_ entry: Int) { entries.withLock { $0.append(entry) } }
    }

    @Test func `one after the other, in the order of asking`() async throws {
        let (locks, clock) = (KeyedLocks(), clock)
        let order = Record()
        let first = Turnstile()
        try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                group.addTask {
                    _ = try await locks.withLock(on: "a", until: clock.now.advanced(by: .seconds(9)), clock: clock) {
                        order.add(number)
                        if number == 0 { try await first.pass() }
                        order.add(number)
                    }
                }
                if number == 0 {
                    await first.arrivals(1)
                } else {
                    while locks.waiterCount(for: "a") < number { await Task.yield() }
                }
            }
            first.open()
            try await group.waitForAll()
        }
        #expect(order.all == [0, 0, 1, 1, 2, 2, 3, 3])
        #expect(locks.isIdle)
    }

    @Test func `another name is not held up`() async throws {
        let store = MemoryCredentialStore()
        let inner = try await store.withExclusiveLock(on: "a", timeout: .zero) {
            try await store.withExclusiveLock(on: "b", timeout: .zero) { 7 }
        }
        #expect(inner == 7)
    }

    @Test func `a waiter that reaches its limit gets a typed error, and the next one the lock`() async throws {
        let store = MemoryCredentialStore(clock: clock)
        let (held, holder) = (Turnstile(), Turnstile())
        async let first: Void = store.withExclusiveLock(on: "a", timeout: .seconds(1)) {
            held.open()
            try await holder.pass()
        }
        try await held.pass()
        async let second: Void = store.withExclusiveLock(on: "a", timeout: .seconds(5)) {}
        async let third = store.withExclusiveLock(on: "a", timeout: .seconds(50)) { 3 }
        await clock.sleepers(2)
        clock.advance(by: .seconds(5))
        do {
            try await second
            Issue.record("the lock was held")
        } catch let error as CredentialStoreError {
            #expect(error.code == .lockTimedOut)
        }
        holder.open()
        try await first
        #expect(try await third == 3)
        await clock.sleepers(0)
    }

    @Test func `a lock that is held is not to be had in no time`() async throws {
        let store = MemoryCredentialStore()
        try await store.withExclusiveLock(on: "a", timeout: .zero) {
            let error = await #expect(throws: CredentialStoreError.self) {
                try await store.withExclusiveLock(on: "a", timeout: .zero) {}
            }
            #expect(error?.code == .lockTimedOut)
        }
    }

    @Test func `a task that is cancelled while waiting stops waiting, and the operation does not run`() async throws {
        let (locks, clock) = (KeyedLocks(), clock)
        let (held, holder) = (Turnstile(), Turnstile())
        let deadline = clock.now.advanced(by: .seconds(9))
        async let first: Void? = locks.withLock(on: "a", until: deadline, clock: clock) {
            held.open()
            try await holder.pass()
        }
        try await held.pass()
        let second = Task { try await locks.withLock(on: "a", until: deadline, clock: clock) { Issue.record("it ran") } }
        while locks.waiterCount(for: "a") < 1 { await Task.yield() }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(locks.waiterCount(for: "a") == 0)
        holder.open()
        _ = try await first
        #expect(locks.isIdle)
    }

    @Test func `an operation that throws gives the lock free`() async throws {
        struct Failure: Error {}
        let store = MemoryCredentialStore()
        await #expect(throws: Failure.self) { try await store.withExclusiveLock(on: "a", timeout: .zero) { throw Failure() } }
        #expect(try await store.withExclusiveLock(on: "a", timeout: .zero) { 1 } == 1)
    }

    @Test func `RT-17 a thousand tasks renew each generation once`() async throws {
        let store = MemoryCredentialStore()
        let renewals = Record()
        let seen = try await store.write(SecretBytes(utf8: "old"), for: "a", replacing: nil)
        try await withThrowingTaskGroup { group in
            for _ in 0..<1000 {
                group.addTask {
                    // The time limit is long, so that the last in the queue gets its turn on a busy machine, too.
                    try await store.withExclusiveLock(on: "a", timeout: .seconds(3600)) {
                        guard try await store.read("a")?.version == seen else { return }
                        renewals.add(1)
                        try await store.write(SecretBytes(utf8: "new"), for: "a", replacing: seen)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(renewals.all == [1])
    }
}
