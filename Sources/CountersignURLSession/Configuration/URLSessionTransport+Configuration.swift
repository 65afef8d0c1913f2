extension URLSessionTransport {
    /// The configuration of a transport. The default values suit applications.
    public struct Configuration: Sendable {
        /// The time limit for a server without any data. 60 seconds by default; `nil` for the session's limit. On Linux, it is
        /// rounded up to whole seconds.
        public var idleTimeout: Duration? = .seconds(60)
        /// The maximum number of simultaneous connections per host over HTTP/1.1. 64 by default, as in the other transport; the
        /// system's own default of 4 to 6 would let long responses delay all others. Requests of an authentication have
        /// connections of their own, and never wait for other requests.
        ///
        /// - Precondition: It is at least 1. A transport with another number stops the program when it is created.
        public var maximumConnectionsPerHost: Int = 64
        /// The number of bytes of a response that are kept in memory while the application does not read. 1 MiB by default.
        ///
        /// On Apple systems, receiving pauses at this number. On Linux, `URLSession` cannot pause, and 64 times this number may
        /// be kept; a response with more unread bytes fails with an error.
        ///
        /// - Precondition: It is at least 1. A transport with another number stops the program when it is created.
        public var maximumUnreadSize: Int = 1 << 20
        #if canImport(Security)
        /// Certification authorities that are trusted in addition to those of the system, each as a certificate in DER. Empty by
        /// default.
        ///
        /// App Transport Security can still refuse a server of such an authority.
        public var additionalTrustRoots: [[UInt8]] = []
        #endif

        /// Creates a configuration with the default values.
        public init() {}
    }
}
