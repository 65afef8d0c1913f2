public import Countersign
public import CountersignAsyncHTTPClient

extension FoundationSession {
    /// The configuration of a session.
    public struct Configuration: Sendable {
        /// The runtime's settings: limits, presenter, logger, event observers.
        public var session = SessionConfiguration()
        /// The transport's settings: trust roots, proxy, HTTP versions, timeouts.
        public var transport = AsyncHTTPClientTransport.Configuration()
        /// The session's cookie storage; `nil` for a separate one.
        public var cookieStorage: FoundationCookieStorage?
        /// The maximum size of a response body for ``FoundationSession/data(for:)`` and data tasks; 256 MiB by default. A larger
        /// body fails with `CountersignError.Code.responseTooLarge`. ``FoundationSession/bytes(for:)`` has no limit.
        public var maximumDataSize: Int = 256 << 20

        /// The time limit for the body of a response in ``FoundationSession/data(for:)`` and data tasks; one hour by default. A
        /// slower body fails with `CountersignError.Code.timedOut`. The limit is checked when bytes arrive;
        /// `AsyncHTTPClientTransport.Configuration.idleTimeout` limits the time without data.
        public var maximumDataTime: Duration = .seconds(3_600)

        /// Creates a configuration with the default values.
        public init() {}

        /// The presenter of login pages. Without one, a web flow fails at once with an error that explains how to set one.
        public var presenter: (any WebPresenter)? {
            get { session.presenter }
            set { session.presenter = newValue }
        }
    }
}
