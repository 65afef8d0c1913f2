#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// An HTTP request for a session, an observer or a transport.
public struct SessionRequest: Sendable {
    /// Method, target and header fields.
    public var head: HTTPRequest
    /// The body.
    public var body: RequestBody
    /// The time limit of the exchange, including resends and redirects; `nil` for the session's limit.
    ///
    /// Time on a login page does not count, since logins have their own limit.
    public var timeout: Duration?
    /// Whether redirects are followed. Otherwise the redirect is the final response, and a form with secrets is sent to no other
    /// URL.
    public var followsRedirects: Bool
    /// The identifier of an ``AuthenticationReview``, for its requests outside of its task: they carry the provisional credential
    /// and do not wait for the end of the review. It has no effect after the review.
    public var bypassIdentifier: UUID?

    /// The client certificate, if the server requires one in the TLS handshake. A session sets it for each send from its observers'
    /// attachments.
    public var identity: ConnectionIdentity?

    /// The exclusive connection of the request's exchange; `nil` for any connection. A session sets it for each send from its
    /// observers' attachments.
    public var connection: ExclusiveConnection?

    /// Whether an idle connection must not be reused, because the server could close it while the request is written, and a lost
    /// request cannot always be resent.
    package var needsNewConnection = false

    /// The URL of the head's target, if the caller created the head from one.
    package var address: LazyURL?

    /// Whether the application names the server. Otherwise another server has named it in a login, and the request receives only the
    /// session's default fields of ``Redirect/isForAnyOrigin(_:)``.
    package var isForNamedServer = true

    /// The cookies that the exchange carries and changes; `nil` for the session's.
    package var cookies: CookieJar?

    /// The public keys of which every server of this request must have one; `nil` for none.
    ///
    /// The pins apply to each send, including resends and redirects to any origin. A redirect to a server with another key, or a
    /// request over plain `http`, fails with ``TransportError/Reason/pinMismatch``. They do not apply to requests of observers,
    /// such as token requests.
    public var pins: ServerPins?

    /// Creates a request.
    public init(_ head: HTTPRequest, body: RequestBody = .none, timeout: Duration? = nil, followsRedirects: Bool = true) {
        self.head = head
        self.body = body
        self.timeout = timeout
        self.followsRedirects = followsRedirects
    }
}
