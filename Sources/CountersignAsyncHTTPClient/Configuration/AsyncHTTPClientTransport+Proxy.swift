extension AsyncHTTPClientTransport {
    /// A server that connections are made through. It sees where they lead, and nothing of what TLS protects.
    public struct Proxy: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case http(credential: Credential?)
            case socks
        }

        struct Credential: Sendable, Hashable {
            let username: String
            let password: String
        }

        /// The proxy's name or address.
        public let host: String
        /// The proxy's port.
        public let port: Int
        let kind: Kind

        /// A proxy that makes connections for the HTTP method `CONNECT` (RFC 9110, section 9.3.6), `http` servers included.
        public static func http(host: String, port: Int) -> Proxy {
            Proxy(host: host, port: port, kind: .http(credential: nil))
        }

        /// The same, with a credential for the proxy itself (Basic, RFC 7617); it is sent unencrypted, to the proxy only.
        public static func http(host: String, port: Int, username: String, password: String) -> Proxy {
            Proxy(host: host, port: port, kind: .http(credential: Credential(username: username, password: password)))
        }

        /// A SOCKS proxy (version 5, RFC 1928), without a credential. Names are resolved by the proxy.
        public static func socks(host: String, port: Int = 1080) -> Proxy {
            Proxy(host: host, port: port, kind: .socks)
        }
    }
}

// A credential must not show in a log that prints a configuration.
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
