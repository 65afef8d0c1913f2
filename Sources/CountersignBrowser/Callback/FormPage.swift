internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A page of the listener that posts a form to the login's server, so that the values of the form are in no URL.
///
/// Its path cannot be guessed, and it is sent once. The browser keeps neither the page nor its URL as a referrer.
struct FormPage: Sendable, Hashable {
    /// The path of the page.
    let path: String
    let html: String
    /// The value of `Content-Security-Policy`. Only the page's own script runs.
    let policy: String

    /// Creates a page at a new path.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - authority: The host and the port of the listener, to which the server redirects the browser afterwards.
    init(_ form: PageForm, authority: String) {
        var source = SystemRandomNumberGenerator()
        // 256 bits.
        path = "/" + (0..<4).map { _ in String(source.next() as UInt64, radix: 16) }.joined(separator: "-")
        html = Self.html(form)
        policy = """
            default-src 'none'; script-src '\(Self.scriptHash)'; base-uri 'none'; form-action \(Self.targets(form, authority)); \
            frame-ancestors 'none'
            """
    }

    /// Posts the form. A field with the name `submit` does not replace the method.
    static let script = "HTMLFormElement.prototype.submit.call(document.forms[0])"
    /// The hash of ``script`` (Content Security Policy Level 3, section 2.3.1).
    static let scriptHash = "sha256-ox4bri+xTrW3kuLTyRoak73QX8KZGuyP3JlQYusbSlA="

    /// The servers to which the form may go. Some browsers check the redirects of the response, too, which lead to pages of the
    /// server and at last to the listener.
    private static func targets(_ form: PageForm, _ authority: String) -> String {
        // A source has no IPv6 address (Content Security Policy Level 3, section 2.3.1).
        guard !authority.hasPrefix("["), Origin(form.url)?.host.contains(":") != true else { return "https: http:" }
        let own = Origin(form.url).flatMap { $0.scheme == "http" ? " \($0)" : nil } ?? ""
        return "https:\(own) http://\(authority)"
    }

    private static func html(_ form: PageForm) -> String {
        let fields = form.fields.map { field in
            "<input type=\"hidden\" name=\"\(field.name.escapedForMarkup)\" value=\"\(field.value.escapedForMarkup)\">"
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>One moment</title>
            </head>
            <body>
            <main>
            <h1>One moment</h1>
            <form method="post" action="\(form.url.absoluteString.escapedForMarkup)" accept-charset="utf-8">
            \(fields.joined(separator: "\n"))
            <button>Continue</button>
            </form>
            </main>
            <script>\(script)</script>
            </body>
            </html>

            """
    }
}

extension FormPage: RedactedDescription {}
