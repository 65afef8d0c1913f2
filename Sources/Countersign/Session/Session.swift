internal import Logging
internal import Synchronization

/// Sends HTTP requests and answers authentication challenges.
///
/// A session has the cookies of one user, calls its observers in the order of their registration, and resends a challenged request
/// when the challenge is answered. If several requests are challenged at once, a method authenticates once for all of them.
///
/// ```swift
/// let session = Session(transport: transport)
/// session.register(observer)
/// let response = try await session.send(SessionRequest(HTTPRequest(url: url)))
/// ```
///
/// **Ownership.** A session owns its transport, and ``invalidate(cancelling:)`` shuts it down. Pass `ownsTransport: false` for a
/// shared transport, which then stays open. Observers and authenticators do not retain a session.
public final class Session: Sendable {
    /// The session's configuration.
    public let configuration: SessionConfiguration
    /// The transport of the session's requests.
    public let transport: any HTTPTransport
    /// The user's cookies.
    public let cookies: CookieJar
    /// Whether ``invalidate(cancelling:)`` shuts the transport down.
    public let ownsTransport: Bool

    /// The credential managers of the authenticators that are used in this session.
    let flights = SessionFlights()
    /// The documents and keys that operations of landscapes have fetched from servers.
    let publications = Publications()
    /// Returns the time since the session was created.
    let now: @Sendable () -> Duration
    /// The mutable state.
    let state = Mutex(SessionState())

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - configuration: The limits, the presenter and the logger.
    ///   - transport: The transport of the session's requests.
    ///   - cookies: The cookie jar, for example one with a list of public suffixes. By default an empty one.
    ///   - ownsTransport: Whether the session shuts the transport down when it is invalidated. Pass `false` for a shared transport;
    ///     each exchange then runs in its own task, so that it can be cancelled separately.
    public init(
        configuration: SessionConfiguration = .init(), transport: any HTTPTransport, cookies: CookieJar = CookieJar(),
        ownsTransport: Bool = true
    ) {
        self.configuration = configuration.withUsableLimits
        self.transport = transport
        self.cookies = cookies
        self.ownsTransport = ownsTransport
        now = Timeline(configuration.clock).elapsed
    }
}

extension Session {
    /// Reports an event to the event observers and the logger.
    ///
    /// Without either, warnings are logged by a logger of the runtime.
    public func report(_ event: SessionEvent) {
        for observer in configuration.eventObservers { observer.observe(event) }
        if let logger = configuration.logger {
            event.log(to: logger)
        } else if configuration.eventObservers.isEmpty, event.kind.isWarning {
            event.log(to: Logger(label: "countersign"))
        }
    }
}
