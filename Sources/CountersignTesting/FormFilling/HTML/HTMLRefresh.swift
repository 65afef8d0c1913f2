/// The content of `<meta http-equiv="refresh">`, such as `5; url=/next`.
enum HTMLRefresh {
    /// Returns the target; `nil` if the content is invalid or only reloads its own page.
    static func target(_ content: String) -> String? {
        let number = content.drop(while: \.isWhitespace)
        var rest = number.drop { $0.isNumber || $0 == "." }
        guard rest.startIndex != number.startIndex, let separator = rest.first,
            separator == ";" || separator == "," || separator.isWhitespace
        else { return nil }
        rest = rest.drop { $0 == ";" || $0 == "," || $0.isWhitespace }
        if rest.prefix(3).lowercased() == "url" {
            let value = rest.dropFirst(3).drop(while: \.isWhitespace)
            if value.first == "=" { rest = value.dropFirst().drop(while: \.isWhitespace) }
        }
        if let quote = rest.first, quote == "\"" || quote == "'" { rest = rest.dropFirst().prefix { $0 != quote } }
        let target = rest.trimmingSuffix(while: \.isWhitespace)
        return target.isEmpty ? nil : String(target)
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !isTrimmed($0) }) else { return self[startIndex..<startIndex] }
        return self[...last]
    }
}
