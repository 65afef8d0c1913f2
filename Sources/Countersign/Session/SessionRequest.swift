#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// One HTTP request as a caller, an observer and a transport see it.
public struct SessionRequest: Sendable {
    /// Method, target and fields.
    public var head: HTTPRequest
    /// What is sent after the head.
    public var body: RequestBody
    /// How long the exchange may take, resends and redirects included; `nil` takes the session's own limit.
    ///
    /// Time that a user spends on a login page does not count: a login has a limit of its own.
    public var timeout: Duration?
    /// Whether redirects are followed; otherwise the redirect is the final response. A form with secrets goes where it was sent and
    /// nowhere else.
    public var followsRedirects: Bool
    /// Marks a request of an ``AuthenticationReview`` with the identifier that the review was given: it carries the provisional credential
    /// and does not wait for the review's end. After that end it means nothing.
    public var bypassIdentifier: UUID?

    /// What the connection is made with, if a server of TLS demands a certificate of its client. A session sets it for each send by what
    /// its observers say; nothing of it is kept from one send to the next.
    public var identity: ConnectionIdentity?

    /// The connection that the request goes over, which it shares with others of its exchange alone; `nil` for any. A session sets it for each
    /// send, by what its observers say.
    public var connection: ExclusiveConnection?

    /// Whether no connection may be used that has idled: a server may close one at the very moment that a request is written to it, and what
    /// was lost then cannot always be sent again.
    package var needsNewConnection = false

    /// What the head's target is as a URL, where the caller had one to make it of; it goes with the head as it is, and no further.
    package var address: LazyURL?

    /// The cookies that the exchange carries and changes; `nil` for the session's.
    var cookies: CookieJar?

    /// The keys that every server of this request must have one of; `nil` leaves it to the verification of certificates.
    ///
    /// They hold for each send: for a repetition after a login, and for the target of a redirect, at another origin too. A redirect to a
    /// server with another key therefore ends with ``TransportError/Reason/pinMismatch``, as does a request over plain `http`, which has
    /// no key. What observers send on their own behalf, such as a request for a token, is not this request and has no pins of it.
    public var pins: ServerPins?

    /// Makes a request.
    public init(_ head: HTTPRequest, body: RequestBody = .none, timeout: Duration? = nil, followsRedirects: Bool = true) {
        self.head = head
        self.body = body
        self.timeout = timeout
        self.followsRedirects = followsRedirects
    }
}
