import Countersign

/// What a page offers a browser without JavaScript: where it sends it, and the forms to submit.
struct HTMLPage {
    /// With runs of white space made one space.
    var title = ""
    /// As the first `<base>` has it.
    var base: String?
    /// Where `<meta http-equiv="refresh">` leads, as written.
    var refresh: String?
    /// The character encoding that the page itself names.
    var charset: String?
    var hasScript = false
    var forms: [HTMLForm] = []

    /// Reads a page; any text is one.
    init(_ text: String) {
        var reader = HTMLPageReader()
        for token in HTMLTokenizer(text) { reader.read(token) }
        self = reader.finish()
    }

    /// A page that offers nothing.
    init() {}
}
