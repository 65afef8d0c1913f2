internal import NIOCore
internal import NIOHTTP1

/// What a request is answered: a page, and for the login's own answer the address where the page stands without it.
struct CallbackReply: Sendable, Hashable {
    let page: AnswerPage
    /// Where to read the page. A browser that is sent on shows that address, and its history keeps no other, so what the server
    /// added to the redirect URL is not left in sight.
    let location: String?

    init(_ page: AnswerPage, at location: String? = nil) {
        self.page = page
        self.location = location
    }

    /// The response's head; the page's length is there even where the page itself is not sent.
    var head: HTTPResponseHead {
        var headers: HTTPHeaders = [
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": "\(page.html.utf8.count)",
            "Connection": "close",
            // The address may hold the answer: it goes to no cache and to no other site.
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
