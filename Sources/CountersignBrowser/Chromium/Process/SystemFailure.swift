#if os(macOS) || os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The error of a failed system call.
struct SystemFailure: Error, Sendable, Hashable {
    /// The value of `errno`.
    let code: Int32

    /// The system's description of the error.
    var reason: String { String(cString: strerror(code)) }

    /// Calls a function that returns -1 for a failure, and repeats the call after an interruption by a signal.
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
