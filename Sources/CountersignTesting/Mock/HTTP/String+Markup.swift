extension String {
    /// The text escaped for HTML and XML.
    var escapedForMarkup: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
            .replacing("'", with: "&#39;")
    }
}
