import Countersign

/// The parts of a page that matter to a browser without JavaScript: its refresh target and its forms.
struct HTMLPage {
    /// The title, with each run of white space replaced by one space.
    var title = ""
    /// The URL of the first `<base>`, as written.
    var base: String?
    /// The target of `<meta http-equiv="refresh">`, as written.
    var refresh: String?
    /// The character encoding that the page declares.
    var charset: String?
    var hasScript = false
    var forms: [HTMLForm] = []

    /// Parses a page. Any text is valid.
    init(_ text: String) {
        var reader = HTMLPageReader()
        for token in HTMLTokenizer(text) { reader.read(token) }
        self = reader.finish()
    }

    /// Creates an empty page.
    init() {}
}
