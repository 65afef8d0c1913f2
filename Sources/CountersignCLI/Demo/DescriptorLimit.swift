import Foundation

/// How many files and sockets this process may have open at once.
enum DescriptorLimit {
    /// Asks the system for as many, up to what it allows; some give a process only 256 unasked.
    ///
    /// - Returns: How many there may be now.
    static func raise(to wanted: Int) -> Int {
        var limit = rlimit()
        #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
        #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard getrlimit(resource, &limit) == 0 else { return 256 }
        guard limit.rlim_cur < rlim_t(wanted) else { return wanted }
        limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
        _ = setrlimit(resource, &limit)
        guard getrlimit(resource, &limit) == 0 else { return 256 }
        return Int(clamping: limit.rlim_cur)
    }
}
