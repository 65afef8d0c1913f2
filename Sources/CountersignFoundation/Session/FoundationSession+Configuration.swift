public import Countersign
public import CountersignAsyncHTTPClient

extension FoundationSession {
    /// What a session is made with.
    public struct Configuration: Sendable {
        /// The runtime's own settings: limits, presenter, logger, event observers.
        public var session = SessionConfiguration()
        /// How servers are reached: trust roots, proxy, versions of HTTP, timeouts.
        public var transport = AsyncHTTPClientTransport.Configuration()
        /// Where the session keeps its cookies; `nil` makes a storage for the session alone.
        public var cookieStorage: FoundationCookieStorage?
        /// The most bytes of a response that ``FoundationSession/data(for:)`` and data tasks collect; a larger one ends with
        /// `CountersignError.Code.responseTooLarge`. ``FoundationSession/bytes(for:)`` has no limit.
        public var maximumDataSize: Int = 256 << 20

        /// The most time that ``FoundationSession/data(for:)`` and data tasks spend on the bytes of a response, once its head is there; one
        /// that takes longer ends with `CountersignError.Code.timedOut`. It is looked at when bytes arrive; silence is limited by
        /// `AsyncHTTPClientTransport.Configuration.idleTimeout`.
        public var maximumDataTime: Duration = .seconds(3_600)

        /// Makes a configuration with the defaults.
        public init() {}

        /// Shows login pages; without one a web flow fails at once, with an error that says how to set one.
        public var presenter: (any WebPresenter)? {
            get { session.presenter }
            set { session.presenter = newValue }
        }
    }
}
