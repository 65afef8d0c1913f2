// Replaces the module `Synchronization` in builds with the thread sanitizer, see .ci/thread-sanitizer.
//
// The sanitizer recognises the locks of the C library. It does not recognise the futex of `Synchronization.Mutex`, and reports
// accesses under such a lock as races. These builds therefore compile every `import Synchronization`, also in dependencies, as an
// import of this module (by the compiler's `-module-alias`), whose lock is `pthread_mutex_t`. It has only the members that they
// use.
internal import Glibc

/// A value behind a lock, with the members of `Synchronization.Mutex`. Unchecked, because the value is accessed only under the
/// lock.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    public init(_ initialValue: consuming sending Value) {
        lock = .allocate(capacity: 1)
        let status = pthread_mutex_init(lock, nil)
        precondition(status == 0, "pthread_mutex_init: \(status)")
        value = .allocate(capacity: 1)
        value.initialize(to: initialValue)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    public borrowing func withLock<Success: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Success
    ) throws(Failure) -> sending Success {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value.pointee)
    }

    public borrowing func withLockIfAvailable<Success: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Success
    ) throws(Failure) -> sending Success? {
        guard pthread_mutex_trylock(lock) == 0 else { return nil }
        defer { pthread_mutex_unlock(lock) }
        return try body(&value.pointee)
    }
}

public enum AtomicLoadOrdering { case relaxed, acquiring, sequentiallyConsistent }
public enum AtomicStoreOrdering { case relaxed, releasing, sequentiallyConsistent }
public enum AtomicUpdateOrdering { case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent }

/// A value that threads share. Every access takes the lock, which is stronger than any `ordering`.
public struct Atomic<Value: Sendable>: ~Copyable, Sendable {
    fileprivate let value: Mutex<Value>

    public init(_ initialValue: Value) { value = Mutex(initialValue) }

    public borrowing func load(ordering: AtomicLoadOrdering) -> Value { value.withLock { $0 } }

    public borrowing func store(_ desired: Value, ordering: AtomicStoreOrdering) { value.withLock { $0 = desired } }

    public borrowing func exchange(_ desired: Value, ordering: AtomicUpdateOrdering) -> Value {
        value.withLock { value in
            let old = value
            value = desired
            return old
        }
    }
}

extension Atomic where Value: FixedWidthInteger {
    @discardableResult
    public borrowing func add(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        value.withLock { value in
            let old = value
            value += operand
            return (old, value)
        }
    }

    @discardableResult
    public borrowing func subtract(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        value.withLock { value in
            let old = value
            value -= operand
            return (old, value)
        }
    }
}
