#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A part of a URL that generated code assembles: literal text is unchanged, values are percent-encoded.
public enum URLPiece: Sendable {
    /// Literal text of the spec.
    case text(String)
    /// A value, percent-encoded as one path segment or one query value.
    case value(String)
}

extension URL {
    /// Returns the URL with an appended path.
    @_spi(Generated)
    public func countersign(_ path: String) -> URL { URL.countersign(base: self, path: [.text(path)]) }

    /// Returns a URL from a base, a path and a query, as a spec's template writes them. A slash at the base's end is not doubled,
    /// the base's query is kept, and query items without a value (`nil`) are omitted.
    @_spi(Generated)
    public static func countersign(
        base: URL, path: [URLPiece] = [], query: [(name: String, value: [URLPiece]?)] = []
    ) -> URL {
        var text = base.absoluteString
        var existingQuery = ""
        if let mark = text.firstIndex(of: "#") { text = String(text[..<mark]) }
        if let mark = text.firstIndex(of: "?") {
            existingQuery = String(text[text.index(after: mark)...])
            text = String(text[..<mark])
        }
        let path = path.map(\.encoded).joined()
        if text.hasSuffix("/"), path.hasPrefix("/") { text.removeLast() }
        text += path
        let items = query.compactMap { item in
            item.value.map { "\(URLPiece.value(item.name).encoded)=\($0.map(\.encoded).joined())" }
        }
        let wholeQuery = ([existingQuery] + items).filter { !$0.isEmpty }.joined(separator: "&")
        if !wholeQuery.isEmpty { text += "?" + wholeQuery }
        // The base is a URL and every piece is encoded, so the text is a URL.
        return URL(string: text) ?? base
    }
}

extension URLPiece {
    /// The piece as it is written in the URL. In a value, all characters except the unreserved ones of RFC 3986 are escaped.
    var encoded: String {
        switch self {
        case .text(let text): text
        case .value(let value): PercentEncoding.encode(value.utf8)
        }
    }
}
