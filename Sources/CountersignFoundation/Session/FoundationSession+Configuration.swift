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

        /// Makes a configuration with the defaults.
        public init() {}

        /// Shows login pages; without one a web flow fails at once, with an error that says how to set one.
        public var presenter: (any WebPresenter)? {
            get { session.presenter }
            set { session.presenter = newValue }
        }
    }
}
