/// The sessions in which an authenticator is used, held weakly.
struct AuthenticatorSessions {
    private struct Reference {
        weak var session: Session?
    }

    /// The session on which an observer with the authenticator is registered.
    weak var registered: Session?
    /// The review of that observer.
    var review: AuthenticationReview?
    private var references: [Reference] = []
    private var hasReportedDefects = false

    /// The sessions that still exist.
    var used: [Session] { references.compactMap(\.session) }

    /// Records a session in which the authenticator authenticates.
    mutating func note(_ session: Session) {
        references.removeAll { $0.session == nil || $0.session === session }
        references.append(Reference(session: session))
    }

    /// Returns whether the defects of the signatures still have to be reported, and marks them as reported.
    mutating func takeDefectReport() -> Bool {
        defer { hasReportedDefects = true }
        return !hasReportedDefects
    }
}
