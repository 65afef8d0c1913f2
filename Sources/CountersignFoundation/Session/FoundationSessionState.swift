internal import Countersign

/// What changes in a session's life; guarded by the session's lock.
struct FoundationSessionState {
    var description: String?
    var isValid = true
    /// Whether what was under way has been cancelled.
    var isCancelled = false
    /// How many requests are under way that have no task.
    var requestsUnderWay = 0
    /// The tasks that were resumed and have not ended, by their identifiers. They hold the session, and the session them.
    var tasksUnderWay: [Int: FoundationSessionTask] = [:]
    private var lastTaskIdentifier = 0

    var isIdle: Bool { tasksUnderWay.isEmpty && requestsUnderWay == 0 }

    /// Whether a request may begin: what a login sends belongs to the requests under way that wait for it.
    var takesRequests: Bool { isValid || (Session.isInsideFlow && !isIdle) }

    mutating func takeTaskIdentifier() -> Int {
        lastTaskIdentifier += 1
        return lastTaskIdentifier
    }
}
