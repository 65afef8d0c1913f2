internal import NIOHTTP1

/// What the user sees in the browser. Every page is as it stands here: nothing of a request comes back in it.
enum AnswerPage: Sendable, Hashable, CaseIterable {
    /// The answer has arrived. What it says, the login knows later, so the page does not speak of success.
    case received
    /// There is nothing at this address.
    case notFound
    /// The address is right, the method is not.
    case methodNotAllowed
    /// The address is right, but this answers no login that was started here.
    case stranger
    /// The request was meant for another host.
    case misdirected
    /// This is no request, or one that no browser sends.
    case malformed
    /// The request's head has too many bytes.
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
        case .notFound: "There is nothing here"
        case .methodNotAllowed, .stranger: "This is not the expected answer"
        case .misdirected, .malformed, .tooLarge: "This request cannot be answered"
        }
    }

    private var message: String {
        switch self {
        case .received: "The application has received the answer to your login. Please go on there."
        case .stranger:
            """
            It does not belong to the login that the application waits for. Please go on in the window of that login, or start it \
            again.
            """
        default: "The application waits here for the answer to a login, and for nothing else."
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
