public import HTTPTypes

/// An event in a session, reported synchronously and without secrets.
public struct SessionEvent: Sendable {
    /// The kind of event.
    public enum Kind: Sendable, Hashable {
        /// A response was recognised as a challenge.
        case challenged(signature: String)
        /// An authentication began.
        case started(interactive: Bool)
        /// A request joined a running authentication.
        case joined(waiters: Int)
        /// A step of an authentication completed. The associated value is its name in the spec, such as `present`.
        case ran(step: String)
        /// An authentication succeeded.
        case authenticated(Generation)
        /// An authentication failed with an error of this code: the code of the method's error, of a ``CountersignError`` or of a
        /// ``CredentialStoreError``, `transport` for a ``TransportError``, or `other`. `needs-challenge` is not an error: an
        /// authentication that was tried before a request needs a challenge, and is left for the next one.
        case failed(code: String)
        /// A challenge was not answered. The request fails with an error of this code, after a response of this status or a refused
        /// connection. Errors with a fixed set of cases do not name the place of the failure; this event does.
        case unanswered(code: String, status: Int?)
        /// A credential was renewed, without a login.
        case renewed
        /// A credential that another process obtained replaced the current one.
        case adopted
        /// The time spent waiting for the lock of a shared store. Reported from 50 milliseconds on.
        case waited(Duration)
        /// A new credential is used but not stored, since another process has stored or deleted one meanwhile.
        case superseded
        /// The server no longer accepts the credential. The next request that needs it starts with a login.
        case expired
        /// A credential could not be stored or deleted. It is used nevertheless.
        case notStored
        /// A login page was skipped because it requires an embedded web view and the presenter is another one. The associated
        /// value is the page's URL in the spec, such as `{loginURL}`. The next page was opened instead. Reported once per
        /// authenticator.
        case passedOver(page: String)
        /// An origin did not receive a credential because the observer's ``ProtectedOrigins`` do not include it. The origin has
        /// sent a challenge, or would have received the credential if it were the first origin of the application. Add it to the
        /// origins to allow this. Reported once per origin and observer.
        case withheld
        /// A stored credential is unreadable. The next login replaces it.
        case damaged
        /// A request was resent.
        case resent
        /// A redirect was followed.
        case redirected(status: Int)
        /// The user's session ended: cookies and credentials were dropped.
        case ended
    }

    /// The kind of event.
    public let kind: Kind
    /// The observer's name, if the event concerns one.
    public let observer: String?
    /// The origin of the request, if the event concerns one.
    public let origin: Origin?
    /// The HTTP method of the request.
    public let requestMethod: HTTPRequest.Method?
    /// The identity of the observer's credential, the same for all its events in this process. Between
    /// ``Kind/started(interactive:)`` and the end of an authentication, no other authentication starts for the same credential if
    /// it is shared.
    public let credential: ObjectIdentifier?

    /// Creates an event, for observers and transports of an application.
    public init(
        _ kind: Kind, observer: String? = nil, origin: Origin? = nil, requestMethod: HTTPRequest.Method? = nil,
        credential: ObjectIdentifier? = nil
    ) {
        self.credential = credential
        self.kind = kind
        self.observer = observer
        self.origin = origin
        self.requestMethod = requestMethod
    }
}

/// Receives the events of a session. Calls are synchronous, must be cheap, and cannot influence the session.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol SessionEventObserver: Sendable {
    /// Called once for each event, on the path of the request.
    func observe(_ event: SessionEvent)
}
