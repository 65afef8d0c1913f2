#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The encoded form of a cookie in a store.
package struct StoredCookie: Codable, Sendable, Hashable {
    let name, value, domain, path: String
    let isHostOnly, isSecure, isHTTPOnly: Bool
    let expires: Date?
    let sameSite: String?

    package init(_ cookie: Cookie) {
        name = cookie.name
        value = cookie.value
        domain = cookie.domain
        path = cookie.path
        isHostOnly = cookie.isHostOnly
        isSecure = cookie.isSecure
        isHTTPOnly = cookie.isHTTPOnly
        expires = cookie.expires
        sameSite = cookie.sameSite
    }

    /// The decoded cookie.
    package var cookie: Cookie {
        Cookie(
            name: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path, expires: expires, isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, sameSite: sameSite)
    }
}

extension StoredCookie: RedactedDescription {}
