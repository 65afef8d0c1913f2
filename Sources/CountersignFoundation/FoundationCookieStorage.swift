public import Countersign
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A session's cookies, in the words of Foundation.
///
/// Every instance is a jar of its own, and so is every session's unless two are given the same. It is no `HTTPCookieStorage`, whose rules are
/// the system's: here RFC 6265 is followed to the letter.
public final class FoundationCookieStorage: Sendable {
    /// The runtime's jar.
    public let jar: CookieJar

    /// Makes a storage.
    ///
    /// - Parameter cookies: What is in it at the start.
    public init(_ cookies: [HTTPCookie] = []) {
        jar = CookieJar()
        for cookie in cookies { setCookie(cookie) }
    }

    /// All cookies that have not expired.
    public var cookies: [HTTPCookie] { jar.all.compactMap(HTTPCookie.init) }

    /// The cookies that go to a URL, in sending order.
    public func cookies(for url: URL) -> [HTTPCookie] { jar.cookies(for: url).compactMap(HTTPCookie.init) }

    /// Puts a cookie there, in place of one of the same name, domain and path.
    public func setCookie(_ cookie: HTTPCookie) { jar.set(Cookie(cookie)) }

    /// Takes a cookie away.
    public func deleteCookie(_ cookie: HTTPCookie) { jar.remove(Cookie(cookie)) }

    /// Empties the storage.
    public func removeAll() { jar.removeAll() }
}

extension HTTPCookie {
    fileprivate convenience init?(_ cookie: Cookie) {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: cookie.name, .value: cookie.value, .path: cookie.path,
            // A leading dot is how Foundation tells a domain with its sub-domains from a single host.
            .domain: cookie.isHostOnly ? cookie.domain : "." + cookie.domain,
        ]
        if let expires = cookie.expires { properties[.expires] = expires }
        if cookie.isSecure { properties[.secure] = "TRUE" }
        if let sameSite = cookie.sameSite { properties[.init("SameSite")] = sameSite }
        if cookie.isHTTPOnly { properties[.init("HttpOnly")] = "TRUE" }
        self.init(properties: properties)
    }
}

extension Cookie {
    fileprivate init(_ cookie: HTTPCookie) {
        let isHostOnly = !cookie.domain.hasPrefix(".")
        self.init(
            name: cookie.name, value: cookie.value, domain: (isHostOnly ? cookie.domain : String(cookie.domain.dropFirst())).lowercased(),
            isHostOnly: isHostOnly, path: cookie.path, expires: cookie.expiresDate, isSecure: cookie.isSecure,
            isHTTPOnly: cookie.isHTTPOnly)
    }
}
