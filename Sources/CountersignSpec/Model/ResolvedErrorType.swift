/// The error type of a method.
public struct ResolvedErrorType: Sendable {
    public var name: Located<String>
    public var documentation: Documentation
    public var cases: [ResolvedErrorCase]
}

/// One way for a method to end in an error.
public struct ResolvedErrorCase: Sendable {
    public var name: Located<String>
    /// `summary` is the error's description, `discussion` documentation only.
    public var documentation: Documentation
    public var reason: String?
    public var recovery: String?
    public var since: String?
    public var carries: [(label: Located<String>, type: CarriedType)]

    public enum CarriedType: String, Sendable, Hashable, CaseIterable {
        case error, string, integer
        case serverError = "server-error"
        /// The status of a response, if there was one.
        case status
        /// The status of the response that the error is about.
        case statusCode = "status-code"
        /// What may be shown of a response's body, if there was one.
        case responseText = "response-text"
        /// A response, without what must not be shown.
        case response
        /// What may be shown of a response's body, as bytes.
        case responseData = "response-data"
    }
}
