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
            guard let decoded = Self.decode(segment, isForm: false) else { return nil }
            segments.append(decoded)
        }
        self.segments = segments
        var query: [Item] = []
        for parameter in (url.query(percentEncoded: true) ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, let name = Self.decode(first, isForm: true) else { return nil }
            var value: [UInt8]?
            if parts.count == 2 {
                guard let decoded = Self.decode(parts[1], isForm: true) else { return nil }
                value = decoded
            }
            query.append(Item(name: name, value: value))
        }
        self.query = query
    }

    /// Returns the bytes of an escaped text; `nil` if a `%` is not followed by two hexadecimal digits.
    private static func decode(_ text: Substring.UTF8View, isForm: Bool) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where isForm: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
