internal import Countersign
internal import NIOCore
internal import NIOHTTP1

/// The reply to a request: a page, for the login's response a redirect to the page, or the form that opens the login's page.
struct CallbackReply: Sendable, Hashable {
    private let page: AnswerPage
    /// The redirect target. After the redirect, the browser shows this URL and keeps only it in the history, so the parameters of
    /// the response do not remain visible.
    private let location: String?
    /// The page with the form, which replaces ``page``.
    private let form: FormPage?

    init(_ page: AnswerPage, at location: String? = nil) {
        self.page = page
        self.location = location
        form = nil
    }

    init(_ form: FormPage) {
        page = .received
        location = nil
        self.form = form
    }

    /// The body of the response.
    var html: String { form?.html ?? page.html }

    private var policy: String {
        form?.policy ?? "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    /// The head of the response. It has the length of the page even if the body is omitted.
    var head: HTTPResponseHead {
        var headers: HTTPHeaders = [
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": "\(html.utf8.count)",
            "Connection": "close",
            // The URL may contain the response, which must reach neither a cache nor, as referrer, another site.
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
        ]
        if page == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD") }
        if let location { headers.add(name: "Location", value: location) }
        return HTTPResponseHead(version: .http1_1, status: location == nil ? page.status : .seeOther, headers: headers)
    }
}

extension CallbackReply: RedactedDescription {}
