/// A fault of the token endpoint.
public enum MockTokenFault: Sendable, Hashable {
    /// The request is not processed. The response has this status, one line of text, and optionally `Retry-After`.
    case status(Int, retryAfter: String? = nil)
    /// The request is not processed. The response is an OAuth error with this code and status, including 200.
    case error(String, status: Int = 400)
    /// The request is not processed. The response is 200 with an HTML page, like a proxy's sign-in page.
    case html
    /// The request is not processed. The response is a redirect.
    case redirect(status: Int = 307, to: String)
    /// The request is not processed. The connection is reset.
    case connectionReset
    /// The request is processed. The response is lost with its connection.
    case lostAnswer
    /// The request is processed. The response has the right length, but the connection is closed after half of it.
    case truncatedBody
    /// The request is processed. The access token is longer by this number of bytes.
    case hugeToken(bytes: Int = 200_000_000)
    /// The request is processed. Members of the response are replaced by these JSON texts, added, or removed by `nil`.
    case members([String: String?])
    /// The request is processed. The response is delayed.
    case delay(Duration)
}

extension MockTokenFault: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of fault. Members are not shown, since they may contain tokens.
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
