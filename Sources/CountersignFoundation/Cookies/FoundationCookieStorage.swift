public import Countersign
internal import CountersignCookies
public import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The cookies of a session in Foundation's types. Storages share no cookies with each other or with other processes.
///
/// It is not an `HTTPCookieStorage`, whose rules are the system's; this type follows RFC 6265.
public final class FoundationCookieStorage: Sendable {
    /// The underlying cookie jar.
    public let jar: CookieJar

    /// Creates a storage for an existing cookie jar.
    public init(jar: CookieJar) { self.jar = jar }

    /// Creates a storage.
    ///
    /// - Parameter cookies: The initial cookies.
    public convenience init(_ cookies: [HTTPCookie] = []) {
        self.init(jar: CookieJar())
        for cookie in cookies { setCookie(cookie) }
    }

    /// All cookies that have not expired.
    public var cookies: [HTTPCookie] { jar.all.compactMap { HTTPCookie.make($0) } }

    /// Returns the cookies for a URL in sending order.
    public func cookies(for url: URL) -> [HTTPCookie] { jar.cookies(for: url).compactMap { HTTPCookie.make($0) } }

    /// Stores a cookie, replacing one of the same name, domain and path for the same hosts.
    public func setCookie(_ cookie: HTTPCookie) { jar.set(Cookie(cookie)) }

    /// Removes the cookies of the same name, domain and path.
    public func deleteCookie(_ cookie: HTTPCookie) { jar.remove(Cookie(cookie)) }

    /// Removes the cookies that were stored since a date.
    ///
    /// The jar does not record when a cookie was stored. Therefore all cookies are removed unless the date is in the future.
    public func removeCookies(since date: Date) {
        if date <= Date() { removeAll() }
    }

    /// Removes all cookies.
    public func removeAll() { jar.removeAll() }
}
