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
        /// IP addresses, and networks such as `10.0.0.0/8` and `fd00::/8`. None by default. A leading `.` or `*.` and brackets are
        /// ignored. A host name is never resolved, so a network has only the servers whose URLs contain an address.
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
        package func isException(_ host: some StringProtocol) -> Bool {
            let host = host.lowercased()
            // A name whose last label has only digits is an IPv4 address (URL standard, section 3.5).
            let label = host.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }
            let isAddress = host.contains(":") || label.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return exceptions.contains { exception in
                let exception = exception.lowercased().trimmingPrefix("*").trimmingPrefix(".").filter { $0 != "[" && $0 != "]" }
                guard isAddress else { return host == exception || host.hasSuffix(".\(exception)") }
                return host == exception || IPNetwork(exception)?.contains(host) == true
            }
        }
    }
}

/// A range of IP addresses in CIDR notation (RFC 4632, section 3.1; RFC 4291, section 2.3), or a single one.
private struct IPNetwork {
    /// The bytes of an address, 4 or 16.
    private let bytes: [UInt8]
    /// The number of leading bits that all addresses have in common.
    private let length: Int

    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let bytes = Self.bytes(of: parts[0]) else { return nil }
        guard let length = parts.count == 1 ? bytes.count * 8 : Int(parts[1]), (0...bytes.count * 8).contains(length) else {
            return nil
        }
        self.bytes = bytes
        self.length = length
    }

    func contains(_ address: some StringProtocol) -> Bool {
        guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
        return bytes.indices.allSatisfy { index in
            let bits = max(0, min(8, length - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
            return bytes[index] & mask == other[index] & mask
        }
    }

    /// Returns the bytes of an address in text form (RFC 4291, section 2.2), without a zone; `nil` for another text.
    private static func bytes(of address: some StringProtocol) -> [UInt8]? {
        guard address.contains(":") else { return bytes(ofVersion4: address) }
        let halves = String(address).split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = groups(halves[0]) else { return nil }
        guard halves.count == 2 else { return start.count == 16 ? start : nil }
        guard let end = groups(halves[1]), start.count + end.count < 16 else { return nil }
        return start + [UInt8](repeating: 0, count: 16 - start.count - end.count) + end
    }

    private static func bytes(ofVersion4 address: some StringProtocol) -> [UInt8]? {
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { $0.utf8.first == UInt8(ascii: "+") ? nil : UInt8($0) }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    /// Returns the bytes of groups of hexadecimal digits. The last one can be an address of version 4.
    private static func groups(_ text: Substring) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (number, part) in parts.enumerated() {
            if number == parts.count - 1, part.contains("."), let end = Self.bytes(ofVersion4: part) {
                bytes += end
                continue
            }
            guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit), let group = UInt16(part, radix: 16) else {
                return nil
            }
            bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
        return bytes
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
