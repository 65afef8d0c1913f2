extension AsyncHTTPClientTransport {
    /// What a transport is made with. Every value has a default that is sound for clients and servers alike.
    public struct Configuration: Sendable {
        /// The authorities that may issue a server's certificate.
        public var trustRoots: TrustRoots = .system
        /// The oldest version of TLS to agree to.
        public var minimumTLSVersion: TLSVersion = .tls12
        /// Which versions of HTTP to speak.
        public var httpVersion: HTTPVersion = .automatic
        /// What stands between this machine and the servers.
        public var proxy: Proxy?
        /// How long a connection may take to be ready: name look-up, TCP, proxy and TLS together.
        ///
        /// Waiting for another exchange to give a connection free does not count.
        public var connectTimeout: Duration = .seconds(10)
        /// How long a server may be silent that has the whole request, before an exchange is given up; `nil` waits for as long as the session
        /// does.
        ///
        /// While a body is sent, only the session's own limit counts.
        public var idleTimeout: Duration? = .seconds(60)
        /// How long an idle connection is kept for the next exchange.
        public var keepAlive: Duration = .seconds(60)
        /// The most exchanges with one host at a time; more wait their turn, in order, for as long as their session lets them.
        ///
        /// Over HTTP/1.1 each has a connection of its own, over HTTP/2 they share one. The default lets a thousand requests at once
        /// through with 64 file descriptors, well below the usual limit of a process (256 on macOS, 1,024 on Linux).
        ///
        /// An exchange counts until its response's body was read, cancelled or dropped, but not for longer than a second or two: streams and
        /// long polls leave their room to others, up to three of them for each room, and have connections beside these. The requests of an
        /// authentication count and never wait. Where a server speaks HTTP/2, 100 exchanges go through at least.
        public var maximumConnectionsPerHost: Int = 64
        /// The most bytes of a response's fields, names and values together.
        public var maximumHeadSize: Int = 64 * 1024

        /// Makes a configuration with the defaults.
        public init() {}
    }

    /// A version of TLS.
    public enum TLSVersion: Sendable, Hashable, CaseIterable {
        /// RFC 5246.
        case tls12
        /// RFC 8446.
        case tls13
    }

    /// Which versions of HTTP to speak.
    public enum HTTPVersion: Sendable, Hashable, CaseIterable {
        /// HTTP/2 where a server offers it during the TLS handshake (ALPN), otherwise HTTP/1.1.
        case automatic
        /// HTTP/1.1 alone.
        case http1Only
    }
}
