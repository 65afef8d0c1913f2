internal import Countersign

/// The mutable state of a session, protected by its lock.
struct FoundationSessionState {
    var description: String?
    var isValid = true
    /// Whether the running tasks and requests were cancelled.
    var isCancelled = false
    /// The number of running requests without a task.
    var requestsUnderWay = 0
    /// The running tasks by identifier. They and the session retain each other.
    var tasksUnderWay: [Int: FoundationSessionTask] = [:]
    private var lastTaskIdentifier = 0

    var isIdle: Bool { tasksUnderWay.isEmpty && requestsUnderWay == 0 }

    /// Whether a request may begin. In an invalidated session, only requests of a login may, for which running requests wait.
    var takesRequests: Bool { isValid || (Session.isInsideFlow && !isIdle) }

    mutating func takeTaskIdentifier() -> Int {
        lastTaskIdentifier += 1
        return lastTaskIdentifier
    }
}
