public import HTTPTypes

/// What happens in a session, reported as it happens; holds no secret.
public struct SessionEvent: Sendable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// A response was a challenge.
        case challenged(signature: String)
        /// An authentication began.
        case started(interactive: Bool)
        /// A request joined an authentication that was running.
        case joined(waiters: Int)
        /// A step of an authentication was run to its end; its word in the spec, such as `present`.
        case ran(step: String)
        /// An authentication ended well.
        case authenticated(Generation)
        /// An authentication failed; the code of the error.
        case failed(code: String)
        /// A challenge was not answered: the request fails with an error of this code, after a response of this status, or after a refused
        /// connection. Errors whose cases are fixed by a spec cannot say where they happened; the event does.
        case unanswered(code: String, status: Int?)
        /// A credential was renewed, without a login.
        case renewed
        /// A credential that another process has got took the place of the present one.
        case adopted
        /// A lock of a store that processes share was waited for so long, until it was had or needed no more. Reported from 50 milliseconds on.
        case waited(Duration)
        /// A credential that was got anew is used, but not stored, since another process has stored or deleted one meanwhile.
        case superseded
        /// The server takes a credential no more; the next request that needs it starts with a login.
        case expired
        /// A credential could not be kept or deleted in its store; it is used all the same.
        case notStored
        /// A page that the parameters name was not opened, for it works in an embedded web view alone and the presenter is none; its
        /// words in the spec, such as `{loginURL}`. The next page was opened instead. Reported once for each authenticator.
        case passedOver(page: String)
        /// An origin did not receive a credential, since the observer's ``ProtectedOrigins`` do not include it: it has asked for the
        /// credential, or would have received one with each request if it were the first that the application asked. Name it to let it
        /// receive the credential. Reported once for each origin and observer.
        case withheld
        /// What is stored in a credential's place cannot be read at all; the next login takes its place.
        case damaged
        /// A request was sent again.
        case resent
        /// A redirect was followed.
        case redirected(status: Int)
        /// Cookies and credentials were dropped.
        case ended
    }

    /// What happened.
    public let kind: Kind
    /// The observer's name, where one is concerned.
    public let observer: String?
    /// Where the request went, where one is concerned.
    public let origin: Origin?
    /// The HTTP method of the request.
    public let requestMethod: HTTPRequest.Method?
    /// Which of the observer's credentials is concerned, the same for all events of one in this process. Between ``Kind/started(interactive:)`` and
    /// the end of an authentication there is no other authentication for the same credential, where they are shared.
    public let credential: ObjectIdentifier?

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

/// Receives what happens in a session: synchronous, cheap, without influence on it.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol SessionEventObserver: Sendable {
    func observe(_ event: SessionEvent)
}
