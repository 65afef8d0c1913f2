internal import HTTPTypes
internal import Logging

extension SessionEvent {
    /// Logs one line: a fixed message, with the variable parts as metadata, which are only names, origins and codes.
    func log(to logger: Logger) {
        let (level, message) = kind.line
        logger.log(level: level, message, metadata: metadata)
    }

    private var metadata: Logger.Metadata {
        var metadata = kind.metadata
        if let observer { metadata["observer"] = "\(observer)" }
        if let origin { metadata["origin"] = "\(origin)" }
        if let requestMethod { metadata["method"] = "\(requestMethod.rawValue)" }
        return metadata
    }
}

extension SessionEvent.Kind {
    /// Whether the event needs attention: something is not done as configured, or not stored as it should be.
    var isWarning: Bool { line.0 >= .warning }

    fileprivate var line: (Logger.Level, Logger.Message) {
        switch self {
        case .challenged: (.debug, "the server challenged a request")
        case .started: (.info, "an authentication started")
        case .joined: (.debug, "a request joined a running authentication")
        case .ran: (.debug, "a step of an authentication was run")
        case .authenticated: (.info, "an authentication succeeded")
        case .failed: (.info, "an authentication failed")
        case .unanswered: (.notice, "a request failed because its challenge could not be answered")
        case .renewed: (.debug, "a credential was renewed")
        case .adopted: (.info, "a credential was taken over from another process")
        case .waited: (.debug, "a request waited for the lock of a store")
        case .superseded: (.info, "another process has changed the stored credential in the meantime")
        case .expired: (.notice, "a credential has expired")
        case .notStored: (.warning, "a store failed to save a credential")
        case .passedOver:
            (
                .warning,
                """
                a login page for embedded web views was skipped, because the presenter is not an embedded web view; give the \
                session such a presenter, or omit the page's parameter
                """
            )
        case .withheld: (.warning, "an origin that is not among the protected URLs received no credential")
        case .damaged: (.warning, "a stored credential cannot be read")
        case .resent: (.debug, "a request is sent again")
        case .redirected: (.debug, "a redirect is followed")
        case .ended: (.info, "the user's session ended")
        }
    }

    fileprivate var metadata: Logger.Metadata {
        switch self {
        case .challenged(let signature): ["signature": "\(signature)"]
        case .started(let interactive): ["interactive": "\(interactive)"]
        case .joined(let waiters): ["waiters": "\(waiters)"]
        case .ran(let step): ["step": "\(step)"]
        case .authenticated(let generation): ["generation": "\(generation.number)"]
        case .failed(let code): ["code": "\(code)"]
        case .unanswered(let code, let status): ["code": "\(code)", "status": "\(status.map(String.init) ?? "none")"]
        case .passedOver(let page): ["page": "\(page)"]
        case .waited(let time): ["milliseconds": "\(Int(time / .milliseconds(1)))"]
        case .redirected(let status): ["status": "\(status)"]
        case .renewed, .adopted, .superseded, .expired, .notStored, .withheld, .damaged, .resent, .ended: [:]
        }
    }
}
