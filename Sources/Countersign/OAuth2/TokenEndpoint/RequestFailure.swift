#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// Why a token endpoint gave no token.
public enum RequestFailure: SecretFreeError, Sendable, Hashable {
    /// No connection could be made, or it was lost.
    case network(TransportError)
    /// The connection brought no whole response of HTTP.
    case noResponse(TransportError)
    /// The server said why (RFC 6749, section 5.2), with this status.
    case server(OAuth2ServerError, status: Int)
    /// A status without an explanation. Redirects are among them: a form that holds secrets is sent nowhere else.
    case status(ResponseOutline)
    /// A response of status 200 without a token that could be used, and what is wrong with it.
    case unreadable(ResponseOutline, problem: String)
}

extension RequestFailure: LocalizedError {
    /// What happened, without anything that could be secret.
    public var description: String { "\(["POST", origin?.description].compactMap { $0 }.joined(separator: " ")): \(summary)" }
    public var errorDescription: String? { description }
}

/// What may be shown of a response: no value of its body, and of its fields only those that hold no secret.
public struct ResponseOutline: Sendable, Hashable {
    /// Where it came from, without the query.
    public let url: URL
    /// Its status.
    public let status: Int
    /// The fields that say how it was sent, such as `Content-Type` and `Retry-After`.
    public let fields: HTTPFields
    /// The names of the body's members, as a JSON object with `"<redacted>"` for each value; empty where the body is no JSON object.
    public let body: String

    /// Makes an outline.
    public init(url: URL, status: Int, fields: HTTPFields, body: String) {
        self.url = url
        self.status = status
        self.fields = fields
        self.body = body
    }
}
