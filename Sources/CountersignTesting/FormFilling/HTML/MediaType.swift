/// A media type as `Content-Type` names it: `text/html; charset=utf-8`.
struct MediaType: Hashable {
    /// In lower case, without parameters.
    let essence: String
    /// In lower case.
    let charset: String?

    /// Reads a field's value; `nil` if it is empty.
    init?(_ text: String) {
        let parts = text.split(separator: ";").map { $0.trimmed }
        guard let first = parts.first, !first.isEmpty else { return nil }
        essence = first.lowercased()
        let charset = parts.dropFirst().map { $0.lowercased() }.first { $0.hasPrefix("charset=") }
        self.charset = charset.map { String($0.dropFirst("charset=".count).filter { $0 != "\"" && $0 != "'" }) }
    }

    /// Whether it is a page that can be read here.
    var isHTML: Bool { essence == "text/html" || essence == "application/xhtml+xml" }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}
