public import HTTPTypes
public import Logging

/// The configuration of a session: presenters, limits, default header fields, logger and event observers.
public struct SessionConfiguration: Sendable {
    /// The presenter of login pages. Without one, a web flow fails at once with ``CountersignError/Code/noPresenter``.
    ///
    /// A session without a presenter whose request is part of another session's authentication, such as an enrolment, uses the
    /// presenter of that session.
    public var presenter: (any WebPresenter)?
    /// The presenter of codes for logins on other devices. Without one, ``presenter`` is used if it is a ``UserCodePresenter``.
    public var userCodePresenter: (any UserCodePresenter)?
    /// The time limit of an exchange, including resends and redirects but not logins, until the head of the final response has
    /// arrived, and the beginning of its body if an observer needs it. 60 seconds by default.
    public var requestTimeout: Duration = .seconds(60)
    /// The time limit of an authentication without the user, and of the wait for each call of a store. 60 seconds by default.
    public var flightTimeout: Duration = .seconds(60)
    /// The time limit of an authentication with the user, also on another device. 300 seconds by default; user codes are often
    /// valid for longer.
    public var interactiveTimeout: Duration = .seconds(300)
    /// The maximum number of redirects of one exchange. 20 by default.
    public var maximumRedirects: Int = 20
    /// The maximum number of authentications of one method within ``authenticationWindow``, and of one observer within one
    /// exchange. 5 by default.
    public var maximumAuthentications: Int = 5
    /// The period for ``maximumAuthentications``. 30 seconds by default.
    public var authenticationWindow: Duration = .seconds(30)
    /// The period after a dismissed login in which no login is shown: zero, which is the default, or more.
    ///
    /// A challenge in this period fails with the method's error for a cancelled login. Independently of the value, so does every
    /// later challenge to a request that began before the dismissal, so that one dismissal applies to all running requests. Both
    /// end with a successful authentication or with the user's session. An explicit authentication, such as
    /// ``ProgramAuthenticator/authenticate(in:)``, is never delayed.
    public var dismissalCoolDown: Duration = .zero
    /// The period in which a login that a server has refused is not repeated with the same secret parameters, unless the user's
    /// session ends before. Requests that need it fail with ``CountersignError/Code/refusedByServer``, and nothing is sent. 15
    /// minutes by default, so that a wrong password in a configuration does not lock an account; zero or more.
    ///
    /// It applies to methods of ``ProgramObserver``, separately for each protection space: a method with separate tokens per scope
    /// sends a wrong password once for each. Input of the user is not delayed, and neither is a login after an error of the server
    /// itself, such as `temporarily_unavailable`.
    public var refusedLoginInterval: Duration = .seconds(900)
    /// The maximum number of bytes that are read from the body of a challenge or redirect to keep the connection. A longer body
    /// closes the connection. 64 KiB by default.
    public var maximumChallengeBodySize: Int = 64 * 1024
    /// Header fields for every request that does not have them, also for those of logins. They are treated like the caller's: a
    /// redirect to another origin removes them.
    ///
    /// A server can name another one for a login, such as the token endpoint of its metadata. A request to an origin that no
    /// parameter of the method names, and not the spec itself, receives only the fields that describe content and preferences, such
    /// as `User-Agent` and `Accept-Language`, as after a redirect.
    public var defaultFields: HTTPFields = [:]
    /// The logger. Without a logger and without ``eventObservers``, only warnings are logged, with the label `countersign`.
    public var logger: Logger?
    /// The observers of the session's events.
    public var eventObservers: [any SessionEventObserver] = []
    /// The clock for time limits.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Whether simultaneous challenges share one authentication. `false` is for demonstrations only: each request then shows its
    /// own login page.
    package var sharesAuthentications = true

    /// Creates a configuration with the defaults.
    public init() {}
}

extension SessionConfiguration {
    /// The longest time limit that is used, more than 30 years. A clock of Swift stops the program when a task sleeps until a time
    /// whose seconds exceed an `Int64`, as a limit of `.seconds(.max)` asks for.
    package static let longestLimit = Duration.seconds(1_000_000_000)

    /// The configuration without time limits that exceed ``longestLimit``.
    var withUsableLimits: SessionConfiguration {
        var configuration = self
        configuration.requestTimeout = min(requestTimeout, Self.longestLimit)
        configuration.flightTimeout = min(flightTimeout, Self.longestLimit)
        configuration.interactiveTimeout = min(interactiveTimeout, Self.longestLimit)
        return configuration
    }
}
