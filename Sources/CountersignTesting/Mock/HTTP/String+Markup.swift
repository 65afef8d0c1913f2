// By Unicode scalars: `<` and a combining mark after it are one `Character`, which is not `<`.

extension String {
    /// The text escaped for HTML and XML.
    var escapedForMarkup: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The text without the escapes of ``escapedForMarkup``, and of white space.
    var unescapedFromMarkup: String {
        let escapes = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#9;", "\t"), ("&#10;", "\n"), ("&#13;", "\r"),
            ("&amp;", "&"),
        ]
        return String(escapes.reduce(unicodeScalars) { $0.replacing($1.0.unicodeScalars, with: $1.1.unicodeScalars) })
    }
}
