public import Countersign
internal import CountersignAsyncHTTPClient
internal import Synchronization

/// A session with the interface of `URLSession` (`URLRequest` and completion handlers) on top of the runtime's session.
///
/// Registered observers answer challenges transparently to the callers of challenged requests.
///
/// ```swift
/// let session = FoundationSession()
/// session.register(observer)
/// let (data, response) = try await session.data(for: URLRequest(url: url))
/// ```
///
/// **Lifetimes.** Each session has its own connections, unless it uses a shared transport. A running task retains its session. The
/// connections are closed when the session is released and its tasks have ended, or sooner by ``finishTasksAndInvalidate()`` and
/// ``invalidateAndCancel()``.
///
/// **Cookies.** A request whose `httpShouldHandleCookies` is `false` is sent without the session's cookies, and does not change them.
/// A method whose credential is cookies cannot authenticate it.
///
/// **Errors.** A cancelled request fails with `URLError.cancelled`. A transport failure is a `URLError` with the `TransportError`
/// under `NSUnderlyingErrorKey`. Errors of authentication methods and of the runtime (`CountersignError`) are thrown unchanged.
public final class FoundationSession: Sendable {
    /// The runtime's session, for callers that do not use Foundation's types.
    public let session: Session
    /// The session's cookies.
    public let cookieStorage: FoundationCookieStorage
    let maximumDataSize: Int
    let maximumDataTime: Duration
    /// Whether exchanges end when the transport is shut down, and so with the session. That is known only of this package's
    /// transport.
    let endsExchanges: Bool
    let state: Mutex<FoundationSessionState>

    /// Creates a session with its own connections.
    public convenience init(configuration: Configuration = Configuration()) {
        self.init(configuration: configuration, transport: AsyncHTTPClientTransport(configuration: configuration.transport))
    }

    /// Creates a session with a given transport.
    ///
    /// - Parameters:
    ///   - configuration: The configuration. Its `transport` is ignored.
    ///   - transport: The transport of the requests.
    ///   - ownsTransport: Whether invalidating the session shuts the transport down; `false` for a shared one.
    public init(configuration: Configuration = Configuration(), transport: any HTTPTransport, ownsTransport: Bool = true) {
        let cookieStorage = configuration.cookieStorage ?? FoundationCookieStorage()
        session = Session(
            configuration: configuration.session, transport: transport, cookies: cookieStorage.jar, ownsTransport: ownsTransport)
        self.cookieStorage = cookieStorage
        maximumDataSize = configuration.maximumDataSize
        maximumDataTime = configuration.maximumDataTime
        endsExchanges = ownsTransport && transport is AsyncHTTPClientTransport
        state = Mutex(FoundationSessionState())
    }

    /// Creates a session on top of an existing one, with its observers and cookies.
    public init(session: Session) {
        self.session = session
        cookieStorage = FoundationCookieStorage(jar: session.cookies)
        maximumDataSize = Configuration().maximumDataSize
        maximumDataTime = Configuration().maximumDataTime
        endsExchanges = session.ownsTransport && session.transport is AsyncHTTPClientTransport
        state = Mutex(FoundationSessionState())
    }

    /// A description for the application's own use.
    public var sessionDescription: String? {
        get { state.withLock { $0.description } }
        set { state.withLock { $0.description = newValue } }
    }

    /// Whether the session accepts requests.
    public var isValid: Bool { state.withLock { $0.isValid } }
}

extension FoundationSession {
    /// Adds an observer after the existing ones.
    ///
    /// - Precondition: The same instance is not registered. Registering it twice is a programming error and stops the program with
    ///   a message that names the observer's class.
    public func register(_ observer: any FoundationSessionObserving) {
        session.register(
            observer.makeSessionObserver(for: self), for: observer, seeingTasks: (observer as? ChallengeObserver)?.seesTasks ?? true
        )
    }

    /// Removes an observer. Does nothing if it is not registered.
    public func unregister(_ observer: any FoundationSessionObserving) { session.unregister(registrant: observer) }
}

extension FoundationSession: ReducedDescription {
    /// The number of cookies and of observers of the runtime's session.
    public var visibleParts: KeyValuePairs<String, String> { session.visibleParts }
}
