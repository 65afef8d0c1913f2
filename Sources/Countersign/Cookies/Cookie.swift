#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie as a ``CookieJar`` stores it (RFC 6265, section 5.3).
public struct Cookie: Sendable, Hashable {
    /// The name, compared case-sensitively.
    public var name: String
    /// The value. It is a secret and never part of a description.
    public var value: String
    /// The domain in lower case, without a leading dot.
    public var domain: String
    /// Whether the cookie is sent only to the host that set it.
    public var isHostOnly: Bool
    /// The path, which begins with `/`. Requests to it and below it carry the cookie.
    public var path: String
    /// The expiry date; `nil` for a session cookie.
    public var expires: Date?
    /// Whether the cookie is sent only over `https`, or to this machine.
    public var isSecure: Bool
    /// The attribute `HttpOnly`, which is for the pages of a browser.
    public var isHTTPOnly: Bool
    /// The attribute `SameSite`, which is for the pages of a browser; `nil` if the server has sent none.
    public var sameSite: String?

    /// Creates a cookie. The domain is lowercased and loses a leading dot; an invalid path becomes `/`.
    public init(
        name: String, value: String, domain: String, isHostOnly: Bool, path: String = "/", expires: Date? = nil,
        isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: String? = nil
    ) {
        self.name = name
        self.value = value
        self.domain = (domain.hasPrefix(".") ? String(domain.dropFirst()) : domain).lowercased()
        self.isHostOnly = isHostOnly
        self.path = path.hasPrefix("/") ? path : "/"
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// All attributes except the value.
    public var description: String {
        var parts = ["\(name)=<redacted>", isHostOnly ? "host \(domain)" : "domain \(domain)", "path \(path)"]
        if isSecure { parts.append("secure") }
        if isHTTPOnly { parts.append("http-only") }
        if let sameSite { parts.append("same-site \(sameSite)") }
        return "Cookie(\(parts.joined(separator: ", ")))"
    }

    public var debugDescription: String { description }

    // `dump(_:)` and loggers that use reflection read the mirror.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "name": name, "domain": domain, "isHostOnly": isHostOnly, "path": path, "expires": expires as Any,
                "isSecure": isSecure, "isHTTPOnly": isHTTPOnly, "sameSite": sameSite as Any,
            ],
            displayStyle: .struct)
    }
}

extension Cookie {
    /// The identity of a cookie. A new cookie replaces the old one with the same identity (RFC 6265, section 5.3, step 11).
    ///
    /// As in browsers and in RFC 6265bis, a cookie of a host alone is another one than a cookie of the domain with the same name. A
    /// server that moves a cookie sets one of them and deletes the other, often in the same response.
    struct Identity: Hashable, Sendable {
        let name: String
        let domain: String
        let isHostOnly: Bool
        let path: String
    }

    var identity: Identity { Identity(name: name, domain: domain, isHostOnly: isHostOnly, path: path) }

    /// Whether the cookie has expired.
    func isExpired(at now: Date) -> Bool {
        guard let expires else { return false }
        return expires <= now
    }
}
