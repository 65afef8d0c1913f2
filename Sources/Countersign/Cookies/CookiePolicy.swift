#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules for the cookies that a jar accepts from a host (RFC 6265, section 5.3, steps 4 to 10, with the prefixes and `Secure`
/// rules of RFC 6265bis).
struct CookiePolicy: Sendable {
    let isPublicSuffix: @Sendable (String) -> Bool
    let limits: CookieJar.Limits

    /// Returns the cookie that a field from a place sets; `nil` if that place may not set it.
    func cookie(from field: SetCookie, at place: CookiePlace, now: Date) -> Cookie? {
        guard let scope = scope(of: field, at: place), !field.isSecure || place.isPrivate else { return nil }
        let cookie = Cookie(
            name: field.name, value: field.value, domain: scope.domain, isHostOnly: scope.isHostOnly,
            path: field.path ?? place.defaultPath, expires: field.expiry(at: now), isSecure: field.isSecure,
            isHTTPOnly: field.isHTTPOnly, sameSite: field.sameSite)
        return keepsPromise(ofItsName: cookie, field) ? cookie : nil
    }

    /// Whether a `Cookie` field can contain the cookie, so that it neither ends the field nor adds another cookie to it.
    func isSendable(_ cookie: Cookie) -> Bool {
        !cookie.domain.isEmpty && !cookie.name.isEmpty && !cookie.name.utf8.contains(UInt8(ascii: "="))
            && !SetCookie.hasControlCharacter(cookie.name.utf8) && !SetCookie.hasControlCharacter(cookie.value.utf8)
            && !cookie.name.utf8.contains(UInt8(ascii: ";")) && !cookie.value.utf8.contains(UInt8(ascii: ";"))
    }

    /// Returns a cookie of another store as this jar may keep it; `nil` if a field cannot contain it, or if it would be sent to
    /// hosts of several owners.
    ///
    /// A domain without a dot, such as `localhost`, may be the host that set the cookie, so the cookie is kept for that host alone.
    func adopted(_ cookie: Cookie) -> Cookie? {
        guard isSendable(cookie), cookie.isHostOnly || !isSuffix(cookie.domain) else { return nil }
        var cookie = cookie
        if !Self.hasDot(cookie.domain) { cookie.isHostOnly = true }
        return cookie
    }

    /// Whether a cookie from an unencrypted connection would shadow one that only encrypted connections may set (RFC 6265bis,
    /// section 5.7: leave secure cookies alone).
    func isShadowing(_ cookie: Cookie, anyOf secureCookies: [Cookie]) -> Bool {
        secureCookies.contains { other in
            other.name == cookie.name
                && (CookiePlace.host(other.domain, isWithin: cookie.domain)
                    || CookiePlace.host(cookie.domain, isWithin: other.domain))
                && CookiePlace.path(cookie.path, isWithin: other.path)
        }
    }

    /// Whether a domain is a public suffix, also with the dot at the end of an absolute name.
    private func isSuffix(_ domain: String) -> Bool { isPublicSuffix(domain.hasSuffix(".") ? String(domain.dropLast()) : domain) }

    /// Whether a domain has more than one label. The dot at the end of an absolute name does not count.
    private static func hasDot(_ domain: String) -> Bool { domain.utf8.dropLast().contains(UInt8(ascii: ".")) }

    private func scope(of field: SetCookie, at place: CookiePlace) -> (domain: String, isHostOnly: Bool)? {
        guard let domain = field.domain, !domain.isEmpty else { return (place.host, true) }
        // Cookies for all of `org` would be sent to servers of other owners. A host that is itself a suffix (`localhost`) may
        // name itself.
        guard !place.isAddress, Self.hasDot(domain), !isSuffix(domain) else {
            return domain == place.host ? (place.host, true) : nil
        }
        return CookiePlace.host(place.host, isWithin: domain) ? (domain, false) : nil
    }

    /// Whether a cookie meets the requirements of a name that begins with `__Secure-` or `__Host-`. The case is ignored, since
    /// some servers ignore it in names.
    private func keepsPromise(ofItsName cookie: Cookie, _ field: SetCookie) -> Bool {
        let name = cookie.name.lowercased()
        if name.hasPrefix("__secure-") { return cookie.isSecure }
        if name.hasPrefix("__host-") { return cookie.isSecure && (field.domain ?? "").isEmpty && field.path == "/" }
        return true
    }
}
