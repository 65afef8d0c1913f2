extension SessionEvent {
    /// Creates the session event for the report of a flight.
    init(_ report: FlightCoordinator.Report, interactive: Bool, authenticationMethod: String) {
        let kind: Kind =
            switch report {
            case .started: .started(interactive: interactive)
            case .joined(let waiters): .joined(waiters: waiters)
            case .ended(let generation): .authenticated(generation)
            case .failed(let error): .failed(code: Self.code(of: error))
            case .discarded: .failed(code: CountersignError.Code.sessionEnded.rawValue)
            }
        self.init(kind, observer: authenticationMethod)
    }

    /// Returns the code of an error, or a general word if it has none. ``Kind/failed(code:)`` documents the words.
    static func code(of error: any Error) -> String {
        switch error {
        case let error as any AuthenticationError: error.code
        case let error as CountersignError: error.code.rawValue
        case FlightFailure.timedOut: CountersignError.Code.timedOut.rawValue
        case FlightFailure.sessionEnded: CountersignError.Code.sessionEnded.rawValue
        case FlightFailure.cancelled: CountersignError.Code.cancelled.rawValue
        case is CancellationError: CountersignError.Code.cancelled.rawValue
        case let error as CredentialStoreError: error.code.rawValue
        case is TransportError: "transport"
        case is NeedsChallenge: "needs-challenge"
        default: "other"
        }
    }
}
