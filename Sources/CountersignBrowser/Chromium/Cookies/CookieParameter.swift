#if os(macOS) || os(Linux)
internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A cookie as a parameter of `Storage.setCookies`.
struct CookieParameter: Encodable, Sendable, Hashable {
    let name: String
    let value: String
    let url: String
    let domain: String?
    let path: String
    let secure: Bool
    let httpOnly: Bool
    let sameSite: String?
    let expires: Double?

    init(_ cookie: Cookie) {
        name = cookie.name
        value = cookie.value
        let host = cookie.domain.contains(":") && !cookie.domain.hasPrefix("[") ? "[\(cookie.domain)]" : cookie.domain
        // The browser makes a cookie secure if its URL has the scheme `https`.
        url = "\(cookie.isSecure ? "https" : "http")://\(host)/"
        // Without a domain, the cookie is host-only.
        domain = cookie.isHostOnly ? nil : ".\(host)"
        path = cookie.path
        secure = cookie.isSecure
        httpOnly = cookie.isHTTPOnly
        switch cookie.sameSite?.lowercased() {
        case "strict": sameSite = "Strict"
        case "lax": sameSite = "Lax"
        // The browser refuses `None` without `Secure`.
        case "none" where cookie.isSecure: sameSite = "None"
        default: sameSite = nil
        }
        expires = cookie.expires?.timeIntervalSince1970
    }
}

extension CookieParameter: RedactedDescription {}
#endif
