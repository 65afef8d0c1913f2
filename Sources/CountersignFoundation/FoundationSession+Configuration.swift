public import Countersign
public import CountersignAsyncHTTPClient

extension FoundationSession {
    /// What a session is made with.
    public struct Configuration: Sendable {
        /// The runtime's own settings: limits, logger, event observers.
        public var session = SessionConfiguration()
        /// Settings of the way to servers: TLS, proxy, versions of HTTP.
        public var transport = AsyncHTTPClientTransport.Configuration()
        /// The cookies to use; `nil` makes a storage for the session alone.
        public var cookieStorage: FoundationCookieStorage?

        /// Makes a configuration with the defaults.
        public init() {}

        /// Shows login pages; without one a web flow fails at once, with an error that says how to set one.
        public var presenter: (any WebPresenter)? {
            get { session.presenter }
            set { session.presenter = newValue }
        }
    }

    /// The methods of HTTP, as `URLRequest.httpMethod` takes them.
    public enum HTTPMethod {
        /// `GET`
        public static let get = "GET"
        /// `HEAD`
        public static let head = "HEAD"
        /// `POST`
        public static let post = "POST"
        /// `PUT`
        public static let put = "PUT"
        /// `PATCH`
        public static let patch = "PATCH"
        /// `DELETE`
        public static let delete = "DELETE"
        /// `OPTIONS`
        public static let options = "OPTIONS"
    }
}
