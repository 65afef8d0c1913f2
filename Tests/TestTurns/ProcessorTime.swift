#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// How many seconds some work computes: the least of three runs, and only what the present thread does, so that other work on the machine
/// does not count.
///
/// - Parameter work: What is neither suspended nor handed to another thread.
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
