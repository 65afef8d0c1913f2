#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A URL split into components for comparison. The components are decoded after the split, so that no escape can move a boundary.
///
/// `/a%2Fb` has one segment and `/a/b` has two. `%252F` differs from `%2F`. A host with a trailing dot is another host.
struct ComparableURL {
    let scheme: String
    let host: String
    let port: Int?
    /// The decoded bytes between the slashes.
    let segments: [[UInt8]]
    /// The names and values of the query, decoded like a form.
    let query: [Item]

    /// A query parameter.
    struct Item: Hashable {
        let name: [UInt8]
        let value: [UInt8]?
    }

    /// Splits a URL; `nil` if it is not absolute, has a user name, or contains an invalid escape.
    init?(_ url: URL) {
        let url = url.absoluteURL
        guard let scheme = url.scheme?.lowercased(), url.user == nil, url.password == nil else { return nil }
        self.scheme = scheme
        host = url.host(percentEncoded: false)?.lowercased() ?? ""
        let isHTTP = scheme == "http" || scheme == "https"
        guard !isHTTP || !host.isEmpty else { return nil }
        port = url.port ?? (scheme == "https" ? 443 : scheme == "http" ? 80 : nil)
        var path = url.path(percentEncoded: true)
        if path.isEmpty, isHTTP { path = "/" }
        var segments: [[UInt8]] = []
        for segment in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let decoded = PercentEncoding.decode(segment, isForm: false) else { return nil }
            segments.append(decoded)
        }
        self.segments = segments
        var query: [Item] = []
        for parameter in (url.query(percentEncoded: true) ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, let name = PercentEncoding.decode(first, isForm: true) else { return nil }
            var value: [UInt8]?
            if parts.count == 2 {
                guard let decoded = PercentEncoding.decode(parts[1], isForm: true) else { return nil }
                value = decoded
            }
            query.append(Item(name: name, value: value))
        }
        self.query = query
    }
}
