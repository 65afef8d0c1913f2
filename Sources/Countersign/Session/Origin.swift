#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Scheme, host and port: what a credential belongs to (RFC 6454).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// In lower case, without brackets.
    public let host: String
    /// The given port or the scheme's own.
    public let port: Int

    /// The origin of a URL, or `nil` if it has no host or is neither `http` nor `https`.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host(percentEncoded: false), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Whether the host is this machine itself, where `http` is as private as `https`.
    public var isLoopback: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]"
            || (host.hasPrefix("127.") && host.split(separator: ".").count == 4 && host.allSatisfy { $0.isNumber || $0 == "." })
    }

    /// Whether what is sent there is encrypted, or stays on this machine.
    public var isPrivate: Bool { scheme == "https" || isLoopback }

    public var description: String {
        let isDefault = port == (scheme == "https" ? 443 : 80)
        let shown = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return "\(scheme)://\(shown)\(isDefault ? "" : ":\(port)")"
    }
}
