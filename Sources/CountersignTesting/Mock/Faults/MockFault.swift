/// Something that goes wrong at the server.
public enum MockFault: Sendable, Hashable {
    /// The answer comes late.
    case delay(Duration)
    /// The connection is reset without an answer.
    case connectionReset
    /// The answer's length is right, half of the body is sent, and the connection is closed.
    case truncatedBody
    /// The request is not processed; the answer has this status and one line of text.
    case status(Int)
    /// The answer has this text as its body.
    case body(String)
    /// The answer has this media type.
    case contentType(String)
    /// The session that the request carries ends before the request is looked at.
    case expiredSession
    /// The request is challenged, with or without a session; with `times: .max` the server challenges for ever, also after a login.
    case challenge
    /// The body has no end; the server writes until the client hangs up.
    case endlessBody
    /// A redirect to the very address that was asked for.
    case redirectLoop
    /// A redirect to this address, such as `file:///etc/hosts` or another host; sent as it is.
    case redirect(to: String)
}
