/// Something that goes wrong at the token endpoint.
public enum MockTokenFault: Sendable, Hashable {
    /// The request is not processed; the answer has this status, one line of text, and `Retry-After` if it is given.
    case status(Int, retryAfter: String? = nil)
    /// The request is not processed; the answer is an OAuth error with this code and status, 200 included.
    case error(String, status: Int = 400)
    /// The request is not processed; the answer is 200 and a page, as a proxy gives that wants the user to sign in.
    case html
    /// The request is not processed; the answer is a redirect.
    case redirect(status: Int = 307, to: String)
    /// The request is not processed; the connection is reset.
    case connectionReset
    /// The request is processed; the answer is lost with its connection.
    case lostAnswer
    /// The request is processed; the answer's length is right, half of it is sent, and the connection is closed.
    case truncatedBody
    /// The request is processed; the access token is this many bytes longer.
    case hugeToken(bytes: Int = 200_000_000)
    /// The request is processed; members of the answer are replaced by these JSON texts, added, or taken away by `nil`.
    case members([String: String?])
    /// The request is processed; the answer comes late.
    case delay(Duration)
}

extension MockTokenFault: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of fault; members may hold tokens and are not shown.
    public var description: String {
        switch self {
        case .status(let status, _): "status \(status)"
        case .error(let code, let status): "error \(code) with status \(status)"
        case .html: "a page"
        case .redirect(let status, _): "redirect \(status)"
        case .connectionReset: "connection reset"
        case .lostAnswer: "lost answer"
        case .truncatedBody: "truncated body"
        case .hugeToken(let bytes): "\(bytes) bytes of token"
        case .members(let members): "members \(members.keys.sorted()), redacted"
        case .delay(let duration): "delay of \(duration)"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["fault": description]) }
}
