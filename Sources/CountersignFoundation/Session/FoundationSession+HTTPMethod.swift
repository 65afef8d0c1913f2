extension FoundationSession {
    /// The names of HTTP methods, for `URLRequest.httpMethod`.
    public enum HTTPMethod {
        /// Gets a resource.
        public static let get = "GET"
        /// Hands something over.
        public static let post = "POST"
        /// Puts a resource there.
        public static let put = "PUT"
        /// Changes a part of a resource (RFC 5789).
        public static let patch = "PATCH"
        /// Takes a resource away.
        public static let delete = "DELETE"
        /// Gets the head of a response only.
        public static let head = "HEAD"
        /// Asks what can be done.
        public static let options = "OPTIONS"
    }
}
