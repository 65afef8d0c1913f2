internal import NIOCore
internal import NIOHTTP1

/// The reply to a request: a page, or for the login's response a redirect to the page.
struct CallbackReply: Sendable, Hashable {
    let page: AnswerPage
    /// The redirect target. After the redirect, the browser shows this URL and keeps only it in the history, so the parameters of
    /// the response do not remain visible.
    let location: String?

    init(_ page: AnswerPage, at location: String? = nil) {
        self.page = page
        self.location = location
    }

    /// The head of the response. It has the length of the page even if the body is omitted.
    var head: HTTPResponseHead {
        var headers: HTTPHeaders = [
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": "\(page.html.utf8.count)",
            "Connection": "close",
            // The URL may contain the response, which must reach neither a cache nor, as referrer, another site.
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
        ]
        if page == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD") }
        if let location { headers.add(name: "Location", value: location) }
        return HTTPResponseHead(version: .http1_1, status: location == nil ? page.status : .seeOther, headers: headers)
    }
}
