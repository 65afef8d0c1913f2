/// The error type of a method.
package struct ResolvedErrorType: Sendable {
    package var name: Located<String>
    package var documentation: Documentation
    package var cases: [ResolvedErrorCase]
}

/// One way for a method to end in an error.
package struct ResolvedErrorCase: Sendable {
    package var name: Located<String>
    /// `summary` is the error's description, `discussion` documentation only.
    package var documentation: Documentation
    package var reason: String?
    package var recovery: String?
    package var since: String?
    package var carries: [(label: Located<String>, type: CarriedType)]

    package enum CarriedType: String, Sendable, Hashable, CaseIterable {
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
