package import Countersign
#if canImport(FoundationNetworking)
internal import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

extension HTTPCookie {
    private static let httpOnly = HTTPCookiePropertyKey(rawValue: "HttpOnly")
    fileprivate static let sameSite = HTTPCookiePropertyKey(rawValue: "SameSite")

    /// Returns a cookie as `HTTPCookie`; `nil` if Foundation does not accept it, for example without a name.
    package static func make(_ cookie: Cookie) -> HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: cookie.name, .value: cookie.value, .path: cookie.path,
            // In Foundation, a leading dot means that subdomains receive the cookie as well.
            .domain: cookie.isHostOnly ? cookie.domain : ".\(cookie.domain)",
        ]
        if let expires = cookie.expires { properties[.expires] = expires }
        if cookie.isSecure { properties[.secure] = "TRUE" }
        if cookie.isHTTPOnly { properties[httpOnly] = "TRUE" }
        if let sameSite = cookie.sameSite { properties[Self.sameSite] = sameSite }
        return HTTPCookie(properties: properties)
    }
}

extension Cookie {
    /// Creates a cookie from an `HTTPCookie`.
    package init(_ cookie: HTTPCookie) {
        let isHostOnly = !cookie.domain.hasPrefix(".")
        self.init(
            name: cookie.name, value: cookie.value,
            domain: (isHostOnly ? cookie.domain : String(cookie.domain.dropFirst())).lowercased(), isHostOnly: isHostOnly,
            path: cookie.path, expires: cookie.expiresDate, isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly,
            sameSite: cookie.properties?[HTTPCookie.sameSite] as? String)
    }
}
