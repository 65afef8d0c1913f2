extension AsyncHTTPClientTransport {
    /// The configuration of a transport. The default values suit clients and servers.
    public struct Configuration: Sendable {
        /// The certification authorities that are trusted to issue server certificates.
        public var trustRoots: TrustRoots = .system
        /// The minimum TLS version.
        public var minimumTLSVersion: TLSVersion = .tls12
        /// The HTTP versions to use.
        public var httpVersion: HTTPVersion = .automatic
        /// The proxy; `nil` for direct connections.
        public var proxy: Proxy?
        /// The time limit for establishing a connection, including name resolution, TCP, proxy and TLS. 10 seconds by default.
        ///
        /// Waiting for a connection that another exchange uses does not count.
        public var connectTimeout: Duration = .seconds(10)
        /// The time limit for a server without any data after the complete request was sent. 60 seconds by default; `nil` for the
        /// session's limit.
        ///
        /// While the request body is sent, only the session's limit applies. The time in which an application does not read the
        /// response's body does not count.
        ///
        /// Over HTTP/2, the server gets a `PING` if nothing has arrived on the connection for a third of the limit, but at least a
        /// second, during a request. If nothing arrives in the same time again, the connection is closed: its requests fail as on
        /// a lost connection, and later ones use a new one.
        public var idleTimeout: Duration? = .seconds(60)
        /// The time for which an idle connection is kept. 60 seconds by default.
        public var keepAlive: Duration = .seconds(60)
        /// The maximum number of simultaneous exchanges per host. Further exchanges wait in order, within their session's time
        /// limit.
        ///
        /// Over HTTP/1.1 each exchange has its own connection, over HTTP/2 they share one. With the default of 64, a thousand
        /// simultaneous requests need 64 file descriptors, well below the usual limit of a process (256 on macOS, 1,024 on Linux).
        ///
        /// An exchange counts until its response's body was read, cancelled or released, but for two seconds at most: streams and
        /// long polls give their place to others, up to three of them per place, and use additional connections. Requests of an
        /// authentication count and never wait. For servers with HTTP/2, the limit is at least 100.
        ///
        /// - Precondition: It is at least 1. A transport with another number stops the program when it is created.
        public var maximumConnectionsPerHost: Int = 64
        /// The maximum size of a response's header fields in bytes, names and values together. 64 KiB by default.
        ///
        /// The client has limits of its own, which cannot be raised: over HTTP/1.1 256 fields of 80 KiB each; over HTTP/2 16 KiB in
        /// all, to which each field adds 32 bytes (RFC 9113, section 6.5.2).
        public var maximumHeadSize: Int = 64 * 1024

        /// Creates a configuration with the default values.
        public init() {}
    }

    /// A version of TLS.
    public enum TLSVersion: Sendable, Hashable, CaseIterable {
        /// RFC 5246.
        case tls12
        /// RFC 8446.
        case tls13
    }

    /// The HTTP versions to use.
    public enum HTTPVersion: Sendable, Hashable, CaseIterable {
        /// HTTP/2 if the server offers it in the TLS handshake (ALPN), otherwise HTTP/1.1.
        case automatic
        /// Only HTTP/1.1.
        case http1Only
    }
}
