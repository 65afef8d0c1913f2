#if os(macOS) || os(Linux)
internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A cookie as the browser is given it.
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
        // A cookie that is set for an https URL becomes a secure one.
        url = "\(cookie.isSecure ? "https" : "http")://\(host)/"
        // Without a domain, only the URL's host gets it.
        domain = cookie.isHostOnly ? nil : ".\(host)"
        path = cookie.path
        secure = cookie.isSecure
        httpOnly = cookie.isHTTPOnly
        switch cookie.sameSite?.lowercased() {
        case "strict": sameSite = "Strict"
        case "lax": sameSite = "Lax"
        // Without Secure the browser refuses it.
        case "none" where cookie.isSecure: sameSite = "None"
        default: sameSite = nil
        }
        expires = cookie.expires?.timeIntervalSince1970
    }
}

extension CookieParameter: RedactedDescription {}
#endif
