/// A media type of a `Content-Type` field, such as `text/html; charset=utf-8`.
struct MediaType: Hashable {
    /// The type and subtype in lower case, without parameters.
    let essence: String
    /// The `charset` parameter in lower case.
    let charset: String?

    /// Parses a field value; `nil` if it is empty.
    init?(_ text: String) {
        let parts = text.split(separator: ";").map { $0.trimmed }
        guard let first = parts.first, !first.isEmpty else { return nil }
        essence = first.lowercased()
        let charset = parts.dropFirst().map { $0.lowercased() }.first { $0.hasPrefix("charset=") }
        self.charset = charset.map { String($0.dropFirst("charset=".count).filter { $0 != "\"" && $0 != "'" }) }
    }

    /// Whether the type is HTML or XHTML.
    var isHTML: Bool { essence == "text/html" || essence == "application/xhtml+xml" }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}
