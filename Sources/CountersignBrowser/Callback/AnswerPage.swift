internal import NIOHTTP1

/// A page that the user sees in the browser. All pages are constant, so they contain nothing of a request.
enum AnswerPage: Sendable, Hashable, CaseIterable {
    /// The response has arrived. The page reports no success, because the response is evaluated later.
    case received
    /// The path is unknown.
    case notFound
    /// The path is right, but the HTTP method is not.
    case methodNotAllowed
    /// The path is right, but the response belongs to no login that was started here.
    case stranger
    /// The request was meant for another host.
    case misdirected
    /// The request is invalid, or no browser would send it.
    case malformed
    /// The head of the request is too large.
    case tooLarge

    var status: HTTPResponseStatus {
        switch self {
        case .received: .ok
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .stranger, .malformed: .badRequest
        case .misdirected: .misdirectedRequest
        case .tooLarge: .requestHeaderFieldsTooLarge
        }
    }

    private var heading: String {
        switch self {
        case .received: "You can close this window"
        case .notFound: "Page not found"
        case .methodNotAllowed, .stranger: "This is not the expected response"
        case .misdirected, .malformed, .tooLarge: "This request cannot be answered"
        }
    }

    private var message: String {
        switch self {
        case .received: "The application has received the response to your login. Please continue there."
        case .stranger:
            """
            It does not belong to the login that the application is waiting for. Please continue in the window of that login, or \
            start the login again.
            """
        default: "At this address, the application only accepts the response to a login."
        }
    }

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(heading)</title>
        </head>
        <body>
        <main>
        <h1>\(heading)</h1>
        <p>\(message)</p>
        </main>
        </body>
        </html>

        """
    }
}
