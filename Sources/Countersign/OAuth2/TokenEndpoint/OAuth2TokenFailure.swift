internal import HTTPTypes

/// Why a token endpoint gave no token.
package struct OAuth2TokenFailure: Error, Sendable, Hashable {
    /// What happened.
    package enum Reason: Sendable, Hashable {
        /// No answer arrived.
        case transport(TransportError)
        /// The server said why (RFC 6749, section 5.2), whatever the status.
        case server(OAuth2ServerError)
        /// The server sent the request elsewhere. That is not followed: the body holds secrets.
        case redirect
        /// Another status than 200, without an OAuth error.
        case status
        /// Status 200, and no token in it that could be used.
        case response(OAuth2ResponseProblem)
    }

    /// What happened.
    package private(set) var reason: Reason
    /// The answer's status; `nil` if there was none.
    package let status: Int?
    /// How long the server wants to be left alone.
    package let retryAfter: Duration?
    /// What may be shown of the answer, if there was one.
    package private(set) var outline: ResponseOutline?
    /// Whether a token was to be renewed, and not got for the first time.
    package private(set) var isRenewal = false
    /// The step that failed, counted from zero; `nil` if no step did.
    private(set) var step: Int?

    package init(_ reason: Reason, status: Int?, retryAfter: Duration? = nil) {
        self.reason = reason
        self.status = status
        self.retryAfter = retryAfter
    }

    /// The failure of a request that got no answer.
    package init(_ error: TransportError) {
        self.init(.transport(error), status: nil)
    }

    /// The failure with what may be shown of the answer.
    func completed(outline: ResponseOutline) -> OAuth2TokenFailure {
        var failure = self
        failure.outline = outline
        return failure
    }

    /// The failure with where the request went.
    func completed(origin: Origin?) -> OAuth2TokenFailure {
        guard case .server(let error) = reason else { return self }
        var failure = self
        failure.reason = .server(error.completed(requestMethod: .post, origin: origin, status: status))
        return failure
    }

    /// The failure with what was asked for.
    func completed(isRenewal: Bool) -> OAuth2TokenFailure {
        var failure = self
        failure.isRenewal = isRenewal
        return failure
    }

    /// The failure with the step that it happened in.
    func completed(step: Int) -> OAuth2TokenFailure {
        var failure = self
        failure.step = failure.step ?? step
        return failure
    }

    /// What the failure means for the credential.
    ///
    /// A status that speaks of the server's own state outweighs what the body says: a gateway in trouble logs no user out.
    package var failureClass: OAuth2FailureClass {
        switch (reason, status ?? 0) {
        case (.transport(let error), _):
            error.requestMayHaveBeenProcessed ? .ambiguous : .transient(retryAfter: nil)
        case (.redirect, _): .configuration
        case (_, 500...), (_, 408), (_, 425), (_, 429): .transient(retryAfter: retryAfter)
        case (.server(let error), _): Self.failureClass(ofCode: error.code, retryAfter: retryAfter)
        case (.status, _): .configuration
        case (.response(.truncated), _): .ambiguous
        // The page of a hotel's network, or of a gateway that is being updated.
        case (.response(.notJSON), _): .transient(retryAfter: retryAfter)
        case (.response, _): .configuration
        }
    }

    /// The classes of RFC 6749's codes. An unknown one never ends a session.
    private static func failureClass(ofCode code: String?, retryAfter: Duration?) -> OAuth2FailureClass {
        switch code {
        case "invalid_grant": .terminal
        case "server_error", "temporarily_unavailable", "slow_down": .transient(retryAfter: retryAfter)
        default: .configuration
        }
    }
}

/// What a failed token request means for the credential that it was made with.
package enum OAuth2FailureClass: Sendable, Hashable {
    /// The server takes the credential no more: the session has ended. The only class that may clear a credential.
    case terminal
    /// It may work later; the credential stays, and the user is not asked to log in.
    case transient(retryAfter: Duration?)
    /// It will not work before something is changed; the credential stays.
    case configuration
    /// The request may have been carried out, and its result is lost: one repetition with the same credential is due at once.
    case ambiguous
}
