extension FoundationSession {
    /// The names of HTTP methods, for `URLRequest.httpMethod`.
    public enum HTTPMethod {
        /// Reads a resource.
        public static let get = "GET"
        /// Sends content to a resource.
        public static let post = "POST"
        /// Creates or replaces a resource.
        public static let put = "PUT"
        /// Changes a part of a resource (RFC 5789).
        public static let patch = "PATCH"
        /// Deletes a resource.
        public static let delete = "DELETE"
        /// Reads only the head of a response.
        public static let head = "HEAD"
        /// Reads the communication options.
        public static let options = "OPTIONS"
    }
}
