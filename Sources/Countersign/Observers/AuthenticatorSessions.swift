/// The sessions that an authenticator is used in; keeps none of them alive.
struct AuthenticatorSessions {
    private struct Reference {
        weak var session: Session?
    }

    /// Where an observer with the authenticator is registered.
    weak var registered: Session?
    /// The review of that observer.
    var review: AuthenticationReview?
    private var references: [Reference] = []
    private var hasReportedDefects = false

    /// The sessions that are still there.
    var used: [Session] { references.compactMap(\.session) }

    /// Remembers a session in which the authenticator authenticates.
    mutating func note(_ session: Session) {
        references.removeAll { $0.session == nil || $0.session === session }
        references.append(Reference(session: session))
    }

    /// Whether the signatures' defects have still to be reported; they are from then on.
    mutating func takeDefectReport() -> Bool {
        defer { hasReportedDefects = true }
        return !hasReportedDefects
    }
}
