extension SessionEvent {
    /// What a flight reports, as an event of the session.
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

    /// The code of an error; for one that has none, a word that says no more than that.
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
