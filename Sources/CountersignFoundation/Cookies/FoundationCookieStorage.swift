public import Countersign
public import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The cookies of a session in Foundation's types. Storages share no cookies with each other, nor with other processes.
///
/// It is no `HTTPCookieStorage`, whose rules are the system's: here RFC 6265 is followed to the letter.
public final class FoundationCookieStorage: Sendable {
    /// Where the cookies are.
    public let jar: CookieJar

    /// Speaks Foundation's types over a jar that is there already.
    public init(jar: CookieJar) { self.jar = jar }

    /// Makes a storage.
    ///
    /// - Parameter cookies: What is in it at the start.
    public convenience init(_ cookies: [HTTPCookie] = []) {
        self.init(jar: CookieJar())
        for cookie in cookies { setCookie(cookie) }
    }

    /// All cookies that have not expired.
    public var cookies: [HTTPCookie] { jar.all.compactMap { HTTPCookie.make($0) } }

    /// The cookies that go to a URL, in sending order.
    public func cookies(for url: URL) -> [HTTPCookie] { jar.cookies(for: url).compactMap { HTTPCookie.make($0) } }

    /// Puts a cookie there, in place of the one of the same name, domain and path.
    public func setCookie(_ cookie: HTTPCookie) { jar.set(Cookie(cookie)) }

    /// Takes a cookie away: the one of the same name, domain and path.
    public func deleteCookie(_ cookie: HTTPCookie) { jar.remove(Cookie(cookie)) }

    /// Takes away what was stored since a date.
    ///
    /// The jar does not note when a cookie came. So all cookies go, those from before included, unless the date is still to come: what is
    /// to be forgotten is forgotten in any case.
    public func removeCookies(since date: Date) {
        if date <= Date() { removeAll() }
    }

    /// Empties the storage.
    public func removeAll() { jar.removeAll() }
}
