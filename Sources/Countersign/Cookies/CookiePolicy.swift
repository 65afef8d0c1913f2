#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which cookies a jar takes from which host (RFC 6265, section 5.3, steps 4 to 10, with the prefixes and `Secure` rules of RFC
/// 6265bis).
struct CookiePolicy: Sendable {
    let isPublicSuffix: @Sendable (String) -> Bool
    let limits: CookieJar.Limits

    /// The cookie that a field sets when it comes from a place, or `nil` if that place may not set it.
    func cookie(from field: SetCookie, at place: CookiePlace, now: Date) -> Cookie? {
        guard let scope = scope(of: field, at: place), !field.isSecure || place.isPrivate else { return nil }
        let cookie = Cookie(
            name: field.name, value: field.value, domain: scope.domain, isHostOnly: scope.isHostOnly,
            path: field.path ?? place.defaultPath, expires: field.expiry(at: now), isSecure: field.isSecure,
            isHTTPOnly: field.isHTTPOnly, sameSite: field.sameSite)
        return keepsPromise(ofItsName: cookie, field) ? cookie : nil
    }

    /// Whether a cookie can stand in a `Cookie` field without ending it or adding a cookie to it.
    func isSendable(_ cookie: Cookie) -> Bool {
        !cookie.domain.isEmpty && !cookie.name.isEmpty && !cookie.name.utf8.contains(UInt8(ascii: "="))
            && !SetCookie.hasControlCharacter(cookie.name.utf8) && !SetCookie.hasControlCharacter(cookie.value.utf8)
            && !cookie.name.utf8.contains(UInt8(ascii: ";")) && !cookie.value.utf8.contains(UInt8(ascii: ";"))
    }

    /// Whether a cookie reaches the hosts of one owner only.
    func isAllowed(_ cookie: Cookie) -> Bool { cookie.isHostOnly || !isPublicSuffix(cookie.domain) }

    /// Whether a cookie from an unencrypted connection would stand in the way of one that only encrypted ones may set
    /// (RFC 6265bis, section 5.7: leave secure cookies alone).
    func isShadowing(_ cookie: Cookie, anyOf secureCookies: [Cookie]) -> Bool {
        secureCookies.contains { other in
            other.name == cookie.name
                && (CookiePlace.host(other.domain, isWithin: cookie.domain)
                    || CookiePlace.host(cookie.domain, isWithin: other.domain))
                && CookiePlace.path(cookie.path, isWithin: other.path)
        }
    }

    private func scope(of field: SetCookie, at place: CookiePlace) -> (domain: String, isHostOnly: Bool)? {
        guard let domain = field.domain, !domain.isEmpty else { return (place.host, true) }
        // Cookies for all of `org` would reach strangers; but a host that is itself a suffix (`localhost`) may name itself.
        guard !place.isAddress, domain.utf8.contains(UInt8(ascii: ".")), !isPublicSuffix(domain) else {
            return domain == place.host ? (place.host, true) : nil
        }
        return CookiePlace.host(place.host, isWithin: domain) ? (domain, false) : nil
    }

    /// `__Secure-` and `__Host-` at the start of a name promise how the cookie was set, also in other capitals, since servers exist that
    /// read names without regard to them.
    private func keepsPromise(ofItsName cookie: Cookie, _ field: SetCookie) -> Bool {
        let name = cookie.name.lowercased()
        if name.hasPrefix("__secure-") { return cookie.isSecure }
        if name.hasPrefix("__host-") { return cookie.isSecure && (field.domain ?? "").isEmpty && field.path == "/" }
        return true
    }
}
