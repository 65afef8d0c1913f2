internal import Countersign
internal import Synchronization

/// Finds the Foundation session that stands before a session of the runtime: observers know the one, applications the other.
final class FoundationSessions: Sendable {
    private struct Reference {
        weak var session: FoundationSession?
    }

    static let shared = FoundationSessions()

    private let references = Mutex<[ObjectIdentifier: Reference]>([:])

    func add(_ session: FoundationSession) {
        references.withLock { $0[ObjectIdentifier(session.session)] = Reference(session: session) }
    }

    /// Called when a Foundation session goes, and perhaps another one for the same session is there.
    func remove(_ session: Session) {
        references.withLock { references in
            if references[ObjectIdentifier(session)]?.session == nil { references[ObjectIdentifier(session)] = nil }
        }
    }

    /// The Foundation session of a session, or a new one for it.
    func session(for session: Session) -> FoundationSession {
        if let found = references.withLock({ $0[ObjectIdentifier(session)]?.session }) { return found }
        return FoundationSession(session: session)
    }
}
