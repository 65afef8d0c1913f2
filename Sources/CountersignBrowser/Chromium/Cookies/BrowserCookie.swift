#if os(macOS) || os(Linux)
internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A cookie in the representation of the DevTools protocol.
struct BrowserCookie: Decodable, Sendable, Hashable {
    let name: String
    let value: String
    /// The domain, with a leading dot unless the cookie is host-only.
    let domain: String
    let path: String
    /// The expiration time in seconds since 1970; negative for a session cookie.
    let expires: Double
    let httpOnly: Bool
    let secure: Bool
    let sameSite: String?
    let partitionKey: Partition?

    /// The top-level site of a partitioned cookie (CHIPS).
    struct Partition: Decodable, Sendable, Hashable {
        let topLevelSite: String
        let hasCrossSiteAncestor: Bool

        private enum CodingKeys: String, CodingKey { case topLevelSite, hasCrossSiteAncestor }

        init(from decoder: any Decoder) throws {
            // Before Chromium 128, the key was only the site.
            if let site = try? decoder.singleValueContainer().decode(String.self) {
                topLevelSite = site
                hasCrossSiteAncestor = false
            } else {
                let values = try decoder.container(keyedBy: CodingKeys.self)
                topLevelSite = try values.decode(String.self, forKey: .topLevelSite)
                hasCrossSiteAncestor = try values.decodeIfPresent(Bool.self, forKey: .hasCrossSiteAncestor) ?? false
            }
        }
    }

    /// The cookie for a cookie jar.
    var cookie: Cookie {
        let isHostOnly = !domain.hasPrefix(".")
        let host = domain.hasPrefix("[") && domain.hasSuffix("]") ? String(domain.dropFirst().dropLast()) : domain
        return Cookie(
            name: name, value: value, domain: host, isHostOnly: isHostOnly, path: path,
            expires: expires < 0 ? nil : Date(timeIntervalSince1970: expires), isSecure: secure, isHTTPOnly: httpOnly,
            sameSite: sameSite)
    }

    /// Whether the cookie is sent to its own site as the top-level page: it is not partitioned, or partitioned by that site.
    var isForItsOwnSite: Bool {
        guard let partitionKey else { return true }
        let site = URL(string: partitionKey.topLevelSite)?.host(percentEncoded: false)
        guard !partitionKey.hasCrossSiteAncestor, let site else { return false }
        let host = cookie.domain
        return host == site || host.hasSuffix(".\(site)")
    }
}

extension BrowserCookie: RedactedDescription {}
#endif
