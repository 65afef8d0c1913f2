#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An origin: scheme, host and port (RFC 6454).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// The host in lower case, without brackets: letters, digits and punctuation of ASCII.
    public let host: String
    /// The port, or the scheme's default.
    public let port: Int

    /// The origin of a URL, or `nil` if it has no host, if it is neither `http` nor `https`, if its port is greater than 65,535, or
    /// if the host has percent-encoded characters that no name in the DNS has (RFC 3986, section 3.2.2), with which it could look
    /// like another one in messages.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", let host = Self.host(of: url) else {
            return nil
        }
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        // A transport could stop the program at a greater one, or connect to another port.
        guard (0...65_535).contains(port) else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Creates an origin from a scheme and an authority that consists of a lower-case name or an IPv4 address, and an optional
    /// port in digits; `nil` for all others, which require a `URL`.
    init?(scheme: String?, plainAuthority authority: String) {
        guard scheme == "http" || scheme == "https", let scheme else { return nil }
        var authority = authority
        let end: (host: Int, port: Int)? = authority.withUTF8 { bytes in
            var end = 0
            while end < bytes.count, Self.isPlainInHost(bytes[end]) {
                // A Punycode name (RFC 5890) is the same host as its decoded form, so it requires a `URL`.
                if end > 0, bytes[end] == UInt8(ascii: "-"), bytes[end - 1] == UInt8(ascii: "-") { return nil }
                end += 1
            }
            guard end > 0 else { return nil }
            if end == bytes.count { return (end, scheme == "https" ? 443 : 80) }
            let digits = bytes[(end + 1)...]
            guard bytes[end] == UInt8(ascii: ":"), (1...5).contains(digits.count) else { return nil }
            var port = 0
            for byte in digits {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                port = port * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return port <= 65_535 ? (end, port) : nil
        }
        guard let end else { return nil }
        self.scheme = scheme
        host = String(authority.utf8.prefix(end.host)) ?? ""
        port = end.port
    }

    /// Returns the host in lower case. An international name is in its Punycode form, which Foundation keeps on some platforms and
    /// decodes on others.
    private static func host(of url: URL) -> String? {
        guard let host = url.host(percentEncoded: false) else { return nil }
        if isHost(host) { return host.lowercased() }
        guard !host.utf8.contains(UInt8(ascii: ":")),
            let encoded = URLComponents(url: url, resolvingAgainstBaseURL: true)?.encodedHost, isHost(encoded)
        else { return nil }
        return encoded.lowercased()
    }

    /// Whether a text is a name as in the DNS, an IPv4 address, or an IPv6 address with or without a zone.
    private static func isHost(_ text: String) -> Bool {
        let isAddress = text.utf8.contains(UInt8(ascii: ":"))
        return !text.isEmpty
            && text.utf8.allSatisfy { byte in
                isPlainInHost(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || "_~".utf8.contains(byte)
                    || isAddress && ":%[]".utf8.contains(byte)
            }
    }

    private static func isPlainInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Hashes host and port, by which nearly all origins differ.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(port)
    }

    /// Whether the host is a loopback address, for which `http` is as private as `https`: `127.0.0.0/8`, `::1`, or `localhost`.
    ///
    /// Subdomains of `localhost` do not count, since resolvers without support for RFC 6761, section 6.3, ask the network for them.
    public var isLoopback: Bool {
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        return Self.beginsWith127(host)
    }

    /// Whether a host is an IPv4 address in `127.0.0.0/8`. Called often: for each request to such a host by each method with a
    /// secret.
    private static func beginsWith127(_ host: String) -> Bool {
        var (dots, digits, value) = (0, 0, 0)
        for byte in host.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9") where digits < 3:
                digits += 1
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            case UInt8(ascii: ".") where digits > 0 && value <= 255 && (dots > 0 || (value == 127 && digits == 3)):
                (dots, digits, value) = (dots + 1, 0, 0)
            default: return false
            }
        }
        return dots == 3 && digits > 0 && value <= 255
    }

    /// Whether requests to the origin are encrypted or stay on this machine.
    public var isPrivate: Bool { scheme == "https" || isLoopback }

    public var description: String {
        let isDefault = port == (scheme == "https" ? 443 : 80)
        let shown = host.utf8.contains(UInt8(ascii: ":")) && !host.hasPrefix("[") ? "[\(host)]" : host
        return "\(scheme)://\(shown)\(isDefault ? "" : ":\(port)")"
    }
}
