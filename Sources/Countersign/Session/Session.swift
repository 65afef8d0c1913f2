internal import Logging
internal import Synchronization

/// Sends requests and answers the challenges that come back.
///
/// A session keeps one user's cookies, asks its observers in the order of their registration, and resends a challenged request once
/// the challenge is answered. However many requests are challenged at once, a method authenticates once.
///
/// ```swift
/// let session = Session(transport: transport)
/// session.register(observer)
/// let response = try await session.send(SessionRequest(HTTPRequest(url: url)))
/// ```
///
/// **Who closes what.** A session owns the transport that it is given, and ``invalidate(cancelling:)`` shuts it down; a transport
/// that others use too is given with `ownsTransport: false` and stays open. Observers and authenticators do not keep a session
/// alive.
public final class Session: Sendable {
    /// What the session was made with.
    public let configuration: SessionConfiguration
    /// The way to servers.
    public let transport: any HTTPTransport
    /// The user's cookies.
    public let cookies: CookieJar
    /// Whether ``invalidate(cancelling:)`` shuts the transport down.
    public let ownsTransport: Bool

    /// The authentications that run for this session.
    let flights = SessionFlights()
    /// What servers have published, and operations of landscapes have fetched.
    let publications = Publications()
    /// The time since the session was made.
    let now: @Sendable () -> Duration
    /// What changes.
    let state = Mutex(SessionState())

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - configuration: Limits, presenter, logger.
    ///   - transport: The way to servers.
    ///   - cookies: The jar to use, for instance one that knows the public suffixes; an empty one by default.
    ///   - ownsTransport: Whether the session shuts the transport down when it is invalidated. Give `false` for a transport that
    ///     others use too; each exchange then runs in a task of its own, so that it can be cancelled without closing what others
    ///     use.
    public init(
        configuration: SessionConfiguration = .init(), transport: any HTTPTransport, cookies: CookieJar = CookieJar(),
        ownsTransport: Bool = true
    ) {
        self.configuration = configuration
        self.transport = transport
        self.cookies = cookies
        self.ownsTransport = ownsTransport
        now = Timeline(configuration.clock).elapsed
    }
}

extension Session {
    /// Tells the event observers and the logger.
    ///
    /// A warning of a session without either goes to a logger of the runtime's: what was configured and is not done, and what is not kept,
    /// should not pass in silence.
    public func report(_ event: SessionEvent) {
        for observer in configuration.eventObservers { observer.observe(event) }
        if let logger = configuration.logger {
            event.log(to: logger)
        } else if configuration.eventObservers.isEmpty, event.kind.isWarning {
            event.log(to: Logger(label: "countersign"))
        }
    }
}
