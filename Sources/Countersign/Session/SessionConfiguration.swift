public import HTTPTypes
public import Logging

/// What a session is made with.
public struct SessionConfiguration: Sendable {
    /// Shows login pages; without one a web flow fails at once with ``CountersignError/Code/noPresenter``.
    ///
    /// A session whose request helps to answer a challenge of another one, as that of an enrolment does, takes the other's
    /// presenter if it has none itself.
    public var presenter: (any WebPresenter)?
    /// Shows the codes by which logins on other devices are known; without one ``presenter`` does, if it is a ``UserCodePresenter``.
    public var userCodePresenter: (any UserCodePresenter)?
    /// The limit of an exchange, resends and redirects included, logins excluded: until the head of the final response is there,
    /// and the beginning of its body where an observer needs it to recognise a challenge.
    public var requestTimeout: Duration = .seconds(60)
    /// The limit of an authentication in which the user takes no part.
    public var flightTimeout: Duration = .seconds(60)
    /// The limit of an authentication in which the user takes part, also on another device: a code to type there is often good for longer.
    public var interactiveTimeout: Duration = .seconds(300)
    /// The most redirects of one exchange.
    public var maximumRedirects: Int = 20
    /// The most authentications of one method within ``authenticationWindow``, and of one observer within one exchange.
    public var maximumAuthentications: Int = 5
    /// The time that ``maximumAuthentications`` are counted in.
    public var authenticationWindow: Duration = .seconds(30)
    /// How long no login is shown after the user has dismissed one: zero, which is the default, or more.
    ///
    /// A challenge within this time fails with the method's error for a cancelled login. So does a challenge at any later time to a request
    /// that was begun before the dismissal, whatever the value: one dismissal answers all requests that were under way. Neither holds once
    /// an authentication has succeeded or the user's session has ended, and an authentication that the application asks for itself, as with
    /// ``ProgramAuthenticator/authenticate(in:)``, is never held up.
    public var dismissalCoolDown: Duration = .zero
    /// How long a login that a server has refused is not repeated with the same secrets of a method's parameters, unless the user's session
    /// ends before: requests that need it fail with ``CountersignError/Code/refusedByServer``, and nothing is sent. 15 minutes by default, so
    /// that a wrong password in a configuration locks no account; zero or more.
    ///
    /// For the methods of ``ProgramObserver``, and for each protection space by itself: a method that keeps tokens apart by their scopes sends a
    /// wrong password once for each. What a user types is not held up.
    public var refusedLoginInterval: Duration = .seconds(900)
    /// The most bytes of a challenge's or redirect's body that are read to keep the connection; a longer one is cut off.
    public var challengeBodyLimit: Int = 64 * 1024
    /// Fields sent with every request that does not have them. They are treated as the caller's own: a redirect to another origin
    /// leaves them behind.
    public var defaultFields: HTTPFields = [:]
    /// Where log lines go. Without a logger and without ``eventObservers`` warnings alone are logged, under the label `countersign`.
    public var logger: Logger?
    /// The observers that receive what happens.
    public var eventObservers: [any SessionEventObserver] = []
    /// Time, for deadlines and windows.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Whether simultaneous challenges share one authentication. Off only to show what happens without it: a login page per
    /// request.
    package var sharesAuthentications = true

    /// Makes a configuration with the defaults.
    public init() {}
}
