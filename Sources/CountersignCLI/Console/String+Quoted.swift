extension String {
    /// The text with a backslash before each quotation mark and each backslash, for a string between quotation marks.
    ///
    /// It goes by Unicode scalars: a quotation mark and a combining mark after it are one `Character`, which is not a quotation mark.
    var escapedForQuotes: String {
        var escaped = ""
        for scalar in unicodeScalars {
            if scalar == "\"" || scalar == "\\" { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return escaped
    }
}
