/// The response body of a protected resource of a mock landscape, as JSON.
public struct MockResource: Codable, Sendable, Hashable {
    /// The user of the session.
    public var user: String
    /// The method of the request.
    public var method: String
    /// The path of the request, without the query.
    public var path: String
    /// The length of the request's body.
    public var bodyLength: Int
    /// The request's body, if it is text of at most 4096 bytes.
    public var body: String?

    /// Creates an answer.
    public init(user: String, method: String, path: String, bodyLength: Int, body: String? = nil) {
        self.user = user
        self.method = method
        self.path = path
        self.bodyLength = bodyLength
        self.body = body
    }
}
