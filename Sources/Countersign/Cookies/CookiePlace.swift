#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The destination of a request or the source of a response, as far as cookies depend on it.
struct CookiePlace {
    /// The host in lower case.
    let host: String
    /// The percent-encoded path of the URL, at least `/`.
    let path: String
    /// Whether cookies with `Secure` may be sent there.
    let isPrivate: Bool
    /// Whether the host is an IP address, which belongs to no domain.
    let isAddress: Bool

    /// Creates the place of a URL; `nil` if it has no cookies, because its scheme is not HTTP or its host cannot be a name.
    init?(_ url: URL) {
        // DNS has no longer names, and such a host would have very many parent domains.
        guard let origin = Origin(url), origin.host.utf8.count <= 255 else { return nil }
        host = origin.host
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        isPrivate = origin.isPrivate
        isAddress = Self.isAddress(origin.host)
    }

    /// Calls `body` with the host and, unless it is an address, with each domain above it.
    func forEachDomain(_ body: (String) -> Void) {
        body(host)
        guard !isAddress else { return }
        var rest = host[...]
        while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.utf8.index(after: dot)...]
            if !rest.isEmpty { body(String(rest)) }
        }
    }

    /// The path of a cookie without a path: the directory of the request (RFC 6265, section 5.1.4).
    var defaultPath: String {
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash != path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    /// Whether a request's path equals a cookie's path or is below it (RFC 6265, section 5.1.4).
    static func path(_ path: String, isWithin cookiePath: String) -> Bool {
        // The most frequent case needs no comparison.
        guard cookiePath != "/" else { return path.utf8.first == UInt8(ascii: "/") }
        let (path, prefix) = (path.utf8, cookiePath.utf8)
        guard path.starts(with: prefix) else { return false }
        return path.count == prefix.count || prefix.last == UInt8(ascii: "/")
            || path.dropFirst(prefix.count).first == UInt8(ascii: "/")
    }

    /// Whether a host equals the domain or is below it (RFC 6265, section 5.1.3), both in lower case.
    static func host(_ host: String, isWithin domain: String) -> Bool {
        guard host != domain else { return true }
        let rest = host.utf8.dropLast(domain.utf8.count)
        return rest.last == UInt8(ascii: ".") && host.utf8.reversed().starts(with: domain.utf8.reversed()) && !isAddress(host)
    }

    private static func isAddress(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return true }
        // The last label of a name never consists of digits only (RFC 1123, section 2.1), so this also covers the short forms of
        // IPv4.
        let name = host.utf8.last == UInt8(ascii: ".") ? host.utf8.dropLast() : host.utf8[...]
        let label = name.lastIndex(of: UInt8(ascii: ".")).map { name[name.index(after: $0)...] } ?? name
        return !label.isEmpty && label.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
