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

    /// Whether the host is this machine itself, where `http` is as private as `https`: an address of `127.0.0.0/8`, `::1`, or `localhost`.
    ///
    /// A name below `localhost`, such as `app.localhost`, is not: resolvers that do not know the rule for it (RFC 6761, section 6.3) ask the
    /// network, which may answer with the address of another machine.
    public var isLoopback: Bool {
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { Self.isOctet($0.utf8) }
    }

    private static func isOctet(_ text: Substring.UTF8View) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return (1...3).contains(text.count) && text.allSatisfy(digits.contains)
            && text.reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) } <= 255
    }

    /// Whether what is sent there is encrypted, or stays on this machine.
    public var isPrivate: Bool { scheme == "https" || isLoopback }

    public var description: String {
        let isDefault = port == (scheme == "https" ? 443 : 80)
        let shown = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return "\(scheme)://\(shown)\(isDefault ? "" : ":\(port)")"
    }
}
