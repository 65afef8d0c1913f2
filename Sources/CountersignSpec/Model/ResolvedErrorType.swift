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
        /// The part of a response's body that may be shown, if there was a response.
        case responseText = "response-text"
        /// A response without the parts that must not be shown.
        case response
        /// The part of a response's body that may be shown, as bytes.
        case responseData = "response-data"
    }
}
