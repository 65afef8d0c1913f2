/// A fault of the server.
public enum MockFault: Sendable, Hashable {
    /// The response is delayed.
    case delay(Duration)
    /// The connection is reset without a response.
    case connectionReset
    /// The response has the right length, but the connection is closed after half of the body.
    case truncatedBody
    /// The request is not processed. The response has this status and one line of text.
    case status(Int)
    /// The response has this text as its body.
    case body(String)
    /// The response has this media type.
    case contentType(String)
    /// The session of the request ends before the request is processed.
    case expiredSession
    /// The request is challenged, with or without a session. With `times: .max` the server challenges every request, also after a
    /// login.
    case challenge
    /// The body never ends; the server writes until the client closes the connection.
    case endlessBody
    /// The response is a redirect to the requested URL.
    case redirectLoop
    /// The response is a redirect to this URL, sent unchanged, such as `file:///etc/hosts` or another host.
    case redirect(to: String)
}
