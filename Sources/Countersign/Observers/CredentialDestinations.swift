internal import HTTPTypes
internal import Synchronization

/// Decides which origins receive the credential of one observer.
///
/// Origins that are named receive it wherever a request came from. With ``ProtectedOrigins/anywhere``, and with nothing named, only the
/// origin that the application itself asked does: a server must not choose by a redirect which origin receives a credential. With
/// nothing named that is, moreover, one origin: the first that the application asks on the session.
final class CredentialDestinations: Sendable {
    private struct State {
        /// The origin that the application asked first.
        var first: Origin?
        /// The origins that were reported.
        var withheld: Set<Origin> = []
    }

    /// The origins that are named; `nil` for the first that the application asks.
    let origins: ProtectedOrigins?
    private let state = Mutex(State())

    /// The most origins that are reported: a server that makes up names must not fill the log.
    private static let mostReports = 1_000

    init(_ origins: ProtectedOrigins?) {
        self.origins = origins
    }

    /// Whether a credential may go with an exchange, at its present origin.
    func includes(_ exchange: ExchangeContext) -> Bool {
        guard let origins else { return isFirst(exchange) }
        return origins.origins?.contains(exchange.origin) ?? exchange.isDirect
    }

    private func isFirst(_ exchange: ExchangeContext) -> Bool {
        guard exchange.isDirect else { return false }
        return state.withLock { state in
            if let first = state.first { return first == exchange.origin }
            // Not the application's own requests; those to the authorization server say nothing of the servers that the token is for.
            guard !TokenRequest.isUnderWay else { return false }
            // Elsewhere nothing would be sent: the first one is the first that can receive a credential.
            if exchange.origin.isPrivate { state.first = exchange.origin }
            return true
        }
    }

    /// Reports that an origin did not receive a credential, once for each origin.
    ///
    /// - Parameter observer: The observer's name.
    func reportWithheld(in exchange: ExchangeContext, by observer: String) {
        let isNew = state.withLock { state in
            state.withheld.count < Self.mostReports && state.withheld.insert(exchange.origin).inserted
        }
        guard isNew else { return }
        exchange.session.report(
            SessionEvent(.withheld, observer: observer, origin: exchange.origin, requestMethod: exchange.request.method))
    }

    /// Begins anew: the observer was taken off its session.
    func reset() { state.withLock { $0 = State() } }
}

extension ExchangeContext {
    /// Whether the application asked the present origin itself, and no redirect leads elsewhere from where it asked.
    var isDirect: Bool { origin == firstOrigin }
}
