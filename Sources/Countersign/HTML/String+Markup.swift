extension String {
    /// The text escaped for HTML and XML: for an element, or for an attribute with either kind of quotes.
    ///
    /// By Unicode scalars: `<` and a combining mark after it are one `Character`, which is not `<`.
    package var escapedForMarkup: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // A reader replaces some ends of lines.
            case "\r": escaped += "&#13;"
            case "\n": escaped += "&#10;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
