#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// The failure of a token request.
public enum RequestFailure: SecretFreeError, Sendable, Hashable {
    /// No connection could be established, or it was lost.
    case network(TransportError)
    /// The connection did not deliver a complete HTTP response.
    case noResponse(TransportError)
    /// The server sent an OAuth error response (RFC 6749, section 5.2) with this status.
    case server(OAuth2ServerError, status: Int)
    /// A status without an OAuth error. This includes redirects, which are not followed, since the form contains secrets.
    case status(ResponseOutline)
    /// A response with status 200 without a usable token. `problem` describes the reason.
    case unreadable(ResponseOutline, problem: String)
}

extension RequestFailure: LocalizedError {
    /// A description without secrets.
    public var description: String { "\(["POST", origin?.description].compactMap { $0 }.joined(separator: " ")): \(summary)" }
    public var errorDescription: String? { description }
}

/// The printable parts of a response: no values of its body, and only header fields without secrets.
public struct ResponseOutline: Sendable, Hashable {
    /// The URL of the response, without the query.
    public let url: URL
    /// The status.
    public let status: Int
    /// Header fields about the transfer, such as `Content-Type` and `Retry-After`.
    public let fields: HTTPFields
    /// The member names of the body as a JSON object with `"<redacted>"` for each value; empty if the body is not a JSON object.
    public let body: String

    /// Creates an outline.
    public init(url: URL, status: Int, fields: HTTPFields, body: String) {
        self.url = url
        self.status = status
        self.fields = fields
        self.body = body
    }
}
