extension String {
    /// The text without the escapes of `escapedForMarkup`, and of white space, by Unicode scalars.
    var unescapedFromMarkup: String {
        let escapes = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#9;", "\t"), ("&#10;", "\n"), ("&#13;", "\r"),
            ("&amp;", "&"),
        ]
        return String(escapes.reduce(unicodeScalars) { $0.replacing($1.0.unicodeScalars, with: $1.1.unicodeScalars) })
    }
}
