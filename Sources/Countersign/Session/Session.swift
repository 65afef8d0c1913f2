public import HTTPTypes
public import Logging

/// Sends requests and answers the challenges that come back. CONTRACT: to be implemented by its owner.
public final class Session: Sendable {
    public let configuration: SessionConfiguration
    public let transport: any HTTPTransport
    public let cookies: CookieJar

    public init(configuration: SessionConfiguration = .init(), transport: any HTTPTransport) { fatalError("contract") }

    /// Sends a request; the final response streams. `task` reaches observers as ``ExchangeContext/task``.
    public func send(_ request: SessionRequest, task: (any Sendable & AnyObject)? = nil) async throws -> SessionResponse {
        fatalError("contract")
    }

    /// Adds an observer. Registering the same instance twice is a programming error and stops the program, by name (M3).
    public func register(_ observer: any SessionObserver) { fatalError("contract") }
    public func unregister(_ observer: any SessionObserver) { fatalError("contract") }

    /// Ends the user's session: cookies and credentials are dropped, flights are discarded, requests under way are not resent.
    public func endSession() { fatalError("contract") }

    /// Takes no more requests; with `cancelling`, ends those under way, otherwise lets them finish; then shuts the transport down if the
    /// session owns it.
    public func invalidate(cancelling: Bool) async { fatalError("contract") }

    /// Tells the event observers and the logger.
    public func report(_ event: SessionEvent) { fatalError("contract") }
}

/// What a session is made with.
public struct SessionConfiguration: Sendable {
    /// Shows login pages; without one a web flow fails at once with ``CountersignError/Code/noPresenter``.
    public var presenter: (any WebPresenter)?
    /// The limit of an exchange, resends and redirects included, logins excluded.
    public var requestTimeout: Duration = .seconds(60)
    /// The limit of an authentication without a person.
    public var flightTimeout: Duration = .seconds(60)
    /// The limit of an authentication with a person.
    public var interactiveTimeout: Duration = .seconds(300)
    /// The most redirects of one exchange.
    public var maximumRedirects: Int = 20
    /// The most authentications of one observer within ``authenticationWindow``.
    public var maximumAuthentications: Int = 5
    public var authenticationWindow: Duration = .seconds(30)
    /// The most bytes of a challenge's body that are read to keep the connection.
    public var challengeBodyLimit: Int = 64 * 1024
    /// Fields sent with every request that does not have them.
    public var defaultFields: HTTPFields = [:]
    /// Where log lines go; the library makes no logger of its own.
    public var logger: Logger?
    /// Who is told what happens.
    public var eventObservers: [any SessionEventObserver] = []
    /// Time, for deadlines and windows.
    public var clock: any Clock<Duration> = ContinuousClock()

    public init() {}
}
