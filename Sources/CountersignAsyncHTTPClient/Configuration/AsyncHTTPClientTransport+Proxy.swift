extension AsyncHTTPClientTransport {
    /// A proxy server for all connections except those to ``exceptions``. It sees their destinations, but no content that TLS
    /// protects.
    public struct Proxy: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case http(credential: Credential?)
            case socks
        }

        struct Credential: Sendable, Hashable {
            let username: String
            let password: String
        }

        /// The proxy's host name or IP address.
        public let host: String
        /// The proxy's port.
        public let port: Int
        let kind: Kind
        /// The hosts to which connections are made without the proxy: host names, each of which also stands for all names below it,
        /// and IP addresses, but no networks. None by default. A leading `.` or `*.` and brackets are ignored.
        public var exceptions: Set<String> = []

        /// Returns a proxy with the HTTP method `CONNECT` (RFC 9110, section 9.3.6), which is also used for `http` URLs.
        public static func http(host: String, port: Int) -> Proxy {
            Proxy(host: host, port: port, kind: .http(credential: nil))
        }

        /// Returns an HTTP proxy with Basic authentication (RFC 7617). The credential is sent unencrypted, and only to the proxy.
        public static func http(host: String, port: Int, username: String, password: String) -> Proxy {
            Proxy(host: host, port: port, kind: .http(credential: Credential(username: username, password: password)))
        }

        /// Returns a SOCKS proxy (version 5, RFC 1928) without authentication. The proxy resolves host names.
        public static func socks(host: String, port: Int = 1080) -> Proxy {
            Proxy(host: host, port: port, kind: .socks)
        }

        /// Whether connections to a host are made without the proxy.
        func isException(_ host: some StringProtocol) -> Bool {
            let host = host.lowercased()
            let isAddress =
                host.contains(":") || host.utf8.last.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true
            return exceptions.contains { exception in
                let exception = exception.lowercased().trimmingPrefix("*").trimmingPrefix(".").filter { $0 != "[" && $0 != "]" }
                return host == exception || !isAddress && host.hasSuffix(".\(exception)")
            }
        }
    }
}

// The descriptions omit the credential, since a configuration may be logged.
extension AsyncHTTPClientTransport.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch kind {
        case .http(credential: nil): "HTTP proxy \(host):\(port)"
        case .http: "HTTP proxy \(host):\(port), with a credential"
        case .socks: "SOCKS proxy \(host):\(port)"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["host": host, "port": port], displayStyle: .struct) }
}
