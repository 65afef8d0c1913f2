import Foundation

/// The number of files and sockets that this process may have open at once.
enum DescriptorLimit {
    /// Raises the limit to the wanted number, or to the maximum that the system allows. Some systems have a default of only 256.
    ///
    /// - Returns: The number that may be open now.
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
