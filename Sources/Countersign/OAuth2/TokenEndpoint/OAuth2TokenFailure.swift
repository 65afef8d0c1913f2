internal import HTTPTypes

/// A failed token request.
package struct OAuth2TokenFailure: Error, Sendable, Hashable {
    /// The reason for the failure.
    package enum Reason: Sendable, Hashable {
        /// No response arrived.
        case transport(TransportError)
        /// The server sent an OAuth error response (RFC 6749, section 5.2), with any status.
        case server(OAuth2ServerError)
        /// The server sent a redirect. It is not followed, since the body contains secrets.
        case redirect
        /// A status other than 200, without an OAuth error.
        case status
        /// Status 200 without a usable token.
        case response(OAuth2ResponseProblem)
    }

    /// The reason for the failure.
    package private(set) var reason: Reason
    /// The status of the response; `nil` without a response.
    package let status: Int?
    /// The time for which the server asks to wait; `nil` if it did not say.
    package let retryAfter: Duration?
    /// The printable parts of the response, if there was one.
    package private(set) var outline: ResponseOutline?
    /// Whether the request was a renewal.
    package private(set) var isRenewal = false
    /// The step that failed, counted from zero; `nil` if no step did.
    private(set) var step: Int?

    package init(_ reason: Reason, status: Int?, retryAfter: Duration? = nil) {
        self.reason = reason
        self.status = status
        self.retryAfter = retryAfter
    }

    /// Creates the failure of a request without a response.
    package init(_ error: TransportError) {
        self.init(.transport(error), status: nil)
    }

    /// Returns the failure with the printable parts of the response.
    func completed(outline: ResponseOutline) -> OAuth2TokenFailure {
        var failure = self
        failure.outline = outline
        return failure
    }

    /// Returns the failure with the origin of the request.
    func completed(origin: Origin?) -> OAuth2TokenFailure {
        guard case .server(let error) = reason else { return self }
        var failure = self
        failure.reason = .server(error.completed(requestMethod: .post, origin: origin, status: status, retryAfter: retryAfter))
        return failure
    }

    /// Returns the failure with the kind of the request.
    func completed(isRenewal: Bool) -> OAuth2TokenFailure {
        var failure = self
        failure.isRenewal = isRenewal
        return failure
    }

    /// Returns the failure with the step that failed, unless it is known already.
    func completed(step: Int) -> OAuth2TokenFailure {
        var failure = self
        failure.step = failure.step ?? step
        return failure
    }

    /// The consequence of the failure for the credential.
    ///
    /// A status that describes the server's own condition takes precedence over the body, so a failing gateway logs no user out.
    package var failureClass: OAuth2FailureClass {
        switch (reason, status ?? 0) {
        case (.transport(let error), _):
            error.requestMayHaveBeenProcessed ? .ambiguous : .transient(retryAfter: nil)
        case (.redirect, _): .configuration
        case (_, 500...), (_, 408), (_, 425), (_, 429): .transient(retryAfter: retryAfter)
        case (.server(let error), _): Self.failureClass(ofCode: error.code, retryAfter: retryAfter)
        case (.status, _): .configuration
        case (.response(.truncated), _): .ambiguous
        // For example the page of a captive portal, or of a gateway that is being updated.
        case (.response(.notJSON), _): .transient(retryAfter: retryAfter)
        case (.response, _): .configuration
        }
    }

    /// Returns the class of an error code of RFC 6749. An unknown code never ends a session.
    ///
    /// Some servers refuse an expired or revoked refresh token with `invalid_token`, a code of RFC 6750. If the token were kept,
    /// every later request would fail, and no login would start.
    private static func failureClass(ofCode code: String?, retryAfter: Duration?) -> OAuth2FailureClass {
        switch code {
        case "invalid_grant", "invalid_token": .terminal
        case "server_error", "temporarily_unavailable", "slow_down": .transient(retryAfter: retryAfter)
        default: .configuration
        }
    }
}

/// The consequence of a failed token request for the credential that it used.
package enum OAuth2FailureClass: Sendable, Hashable {
    /// The server no longer accepts the credential: the session has ended. This is the only class that may delete a credential.
    case terminal
    /// A later request may succeed. The credential is kept, and the user is not asked to log in.
    case transient(retryAfter: Duration?)
    /// Requests fail until the configuration is changed. The credential is kept.
    case configuration
    /// The request may have been processed, and its response is lost. It is repeated once at once with the same credential.
    case ambiguous
}
