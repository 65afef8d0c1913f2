#if os(macOS) || os(Linux)
internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A cookie as the browser tells of it.
struct BrowserCookie: Decodable, Sendable, Hashable {
    let name: String
    let value: String
    /// With a leading dot, unless only the very host gets it.
    let domain: String
    let path: String
    /// In seconds since 1970; negative for a cookie of the session.
    let expires: Double
    let httpOnly: Bool
    let secure: Bool
    let sameSite: String?
    let partitionKey: Partition?

    /// The site that a cookie is kept for, if it is not one for all (CHIPS).
    struct Partition: Decodable, Sendable, Hashable {
        let topLevelSite: String
        let hasCrossSiteAncestor: Bool

        private enum CodingKeys: String, CodingKey { case topLevelSite, hasCrossSiteAncestor }

        init(from decoder: any Decoder) throws {
            // Before Chromium 128 it was the site alone.
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

    /// The cookie as a jar keeps it.
    var cookie: Cookie {
        let isHostOnly = !domain.hasPrefix(".")
        let host = domain.hasPrefix("[") && domain.hasSuffix("]") ? String(domain.dropFirst().dropLast()) : domain
        return Cookie(
            name: name, value: value, domain: host, isHostOnly: isHostOnly, path: path,
            expires: expires < 0 ? nil : Date(timeIntervalSince1970: expires), isSecure: secure, isHTTPOnly: httpOnly,
            sameSite: sameSite)
    }

    /// Whether the site itself would get it, opened as the page: what a site embeds in others has cookies for that alone.
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
