#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Returns the processor time of some work in seconds: the minimum of three runs, and only that of the current thread, so that
/// other work on the machine does not count.
///
/// - Parameter work: Work that is neither suspended nor passed to another thread.
public func processorTime(_ work: () -> Void) -> Double {
    (0..<3).map { _ in
        let start = threadTime()
        work()
        return threadTime() - start
    }.min() ?? 0
}

private func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
