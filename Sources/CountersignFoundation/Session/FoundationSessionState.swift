/// What changes in a session's life; guarded by the session's lock.
struct FoundationSessionState {
    var description: String?
    var isValid = true
    /// The tasks that were resumed and have not ended, by their identifiers. They hold the session, and the session them.
    var tasksUnderWay: [Int: FoundationSessionTask] = [:]
    private var lastTaskIdentifier = 0

    mutating func takeTaskIdentifier() -> Int {
        lastTaskIdentifier += 1
        return lastTaskIdentifier
    }
}
