#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where a request goes, or a response comes from, as far as cookies are concerned.
struct CookiePlace {
    /// In lower case.
    let host: String
    /// The URL's path, still percent-encoded, `/` at least.
    let path: String
    /// Whether cookies with `Secure` may travel there.
    let isPrivate: Bool
    /// Whether the host is an IP address, which is under no domain.
    let isAddress: Bool

    /// The place of a URL, or `nil` if no cookie goes there: a scheme that is not HTTP, or a host that cannot be a name.
    init?(_ url: URL) {
        // DNS has no longer names; with them the domains above a host would be many.
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

    /// The path of a cookie that names none: the request's directory (RFC 6265, section 5.1.4).
    var defaultPath: String {
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash != path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    /// Whether a request's path is a cookie's path or lies under it (RFC 6265, section 5.1.4).
    static func path(_ path: String, isWithin cookiePath: String) -> Bool {
        // The usual case, and it costs nothing.
        guard cookiePath != "/" else { return path.utf8.first == UInt8(ascii: "/") }
        let (path, prefix) = (path.utf8, cookiePath.utf8)
        guard path.starts(with: prefix) else { return false }
        return path.count == prefix.count || prefix.last == UInt8(ascii: "/")
            || path.dropFirst(prefix.count).first == UInt8(ascii: "/")
    }

    /// Whether a host is the domain or lies under it (RFC 6265, section 5.1.3), both in lower case.
    static func host(_ host: String, isWithin domain: String) -> Bool {
        guard host != domain else { return true }
        let rest = host.utf8.dropLast(domain.utf8.count)
        return rest.last == UInt8(ascii: ".") && host.utf8.reversed().starts(with: domain.utf8.reversed()) && !isAddress(host)
    }

    private static func isAddress(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return true }
        // A name's last label is never all digits (RFC 1123, section 2.1), so this also covers the short forms of IPv4.
        let name = host.utf8.last == UInt8(ascii: ".") ? host.utf8.dropLast() : host.utf8[...]
        let label = name.lastIndex(of: UInt8(ascii: ".")).map { name[name.index(after: $0)...] } ?? name
        return !label.isEmpty && label.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
