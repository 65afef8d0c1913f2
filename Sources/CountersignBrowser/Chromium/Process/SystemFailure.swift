#if os(macOS) || os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A call of the system that has failed.
struct SystemFailure: Error, Sendable, Hashable {
    /// As `errno` has it.
    let code: Int32

    /// What the system says about it.
    var reason: String { String(cString: strerror(code)) }

    /// Makes a call that answers -1 for a failure, once more for each interruption by a signal.
    @discardableResult
    static func check(_ call: () -> Int32) throws(SystemFailure) -> Int32 {
        while true {
            let answer = call()
            if answer != -1 { return answer }
            guard errno == EINTR else { throw SystemFailure(code: errno) }
        }
    }
}
#endif
