extension String {
    /// The text escaped for HTML and XML.
    var escapedForMarkup: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
            .replacing("'", with: "&#39;")
    }

    /// The text without the escapes of ``escapedForMarkup``, and of white space.
    var unescapedFromMarkup: String {
        replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
            .replacing("&#9;", with: "\t").replacing("&#10;", with: "\n").replacing("&#13;", with: "\r")
            .replacing("&amp;", with: "&")
    }
}
