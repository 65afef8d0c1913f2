internal import HTTPTypes
internal import Synchronization

/// Decides which origins receive the credential of one observer.
///
/// Named origins receive it, also after a redirect. With ``ProtectedOrigins/anywhere``, and if no origin is named, only the
/// origin of the application's own request does, since a server must not choose the recipient of a credential by a redirect. If
/// no origin is named, there is also only one recipient: the first origin that the application sends a request to in the session.
///
/// A credential can itself name further recipients (``CredentialShape/recipients``), about which ``CredentialManager`` decides.
final class CredentialDestinations: Sendable {
    private struct State {
        /// The origin of the application's first request.
        var first: Origin?
        /// The origins that were reported because they did not receive the credential.
        var withheld: Set<Origin> = []
    }

    /// The named origins; `nil` for the first origin that the application sends a request to.
    let origins: ProtectedOrigins?
    private let state = Mutex(State())

    /// The maximum number of reported origins, so that a server that invents host names cannot fill the log.
    private static let maximumReports = 1_000

    init(_ origins: ProtectedOrigins?) {
        self.origins = origins
    }

    /// Whether an exchange may carry the credential to its current origin.
    func includes(_ exchange: ExchangeContext) -> Bool {
        guard let origins else { return isFirst(exchange) }
        return origins.origins?.contains(exchange.origin) ?? exchange.isDirect
    }

    private func isFirst(_ exchange: ExchangeContext) -> Bool {
        guard exchange.isDirect else { return false }
        return state.withLock { state in
            if let first = state.first { return first == exchange.origin }
            // Token requests are not requests of the application, and their server is not one that the token is for.
            guard !TokenRequest.isUnderWay else { return false }
            // Only an origin that can receive a credential becomes the first one. Nothing would be sent to an unencrypted one.
            if exchange.origin.isPrivate { state.first = exchange.origin }
            return true
        }
    }

    /// Reports that an origin did not receive a credential, once for each origin.
    ///
    /// - Parameter observer: The observer's name.
    func reportWithheld(in exchange: ExchangeContext, by observer: String) {
        let isNew = state.withLock { state in
            state.withheld.count < Self.maximumReports && state.withheld.insert(exchange.origin).inserted
        }
        guard isNew else { return }
        exchange.session.report(
            SessionEvent(.withheld, observer: observer, origin: exchange.origin, requestMethod: exchange.request.method))
    }

    /// Resets the state after the observer was unregistered.
    func reset() { state.withLock { $0 = State() } }
}

extension ExchangeContext {
    /// Whether the current origin is that of the application's own request, and not that of a redirect to another origin.
    var isDirect: Bool { origin == firstOrigin }
}
