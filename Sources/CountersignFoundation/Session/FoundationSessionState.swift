internal import Countersign

/// What changes in a session's life; guarded by the session's lock.
struct FoundationSessionState {
    private struct Registration {
        let observer: any FoundationSessionObserving
        let sessionObserver: any SessionObserver
    }

    var description: String?
    var isValid = true
    /// The tasks that were resumed and have not ended, by their identifiers. They hold the session, and the session them.
    var tasksUnderWay: [Int: FoundationSessionTask] = [:]
    private var registrations: [ObjectIdentifier: Registration] = [:]
    private var lastTaskIdentifier = 0

    mutating func takeTaskIdentifier() -> Int {
        lastTaskIdentifier += 1
        return lastTaskIdentifier
    }

    /// `false` if the observer is there already.
    mutating func add(_ observer: any FoundationSessionObserving, as sessionObserver: any SessionObserver) -> Bool {
        guard registrations[ObjectIdentifier(observer)] == nil else { return false }
        registrations[ObjectIdentifier(observer)] = Registration(observer: observer, sessionObserver: sessionObserver)
        return true
    }

    mutating func remove(_ observer: any FoundationSessionObserving) -> (any SessionObserver)? {
        registrations.removeValue(forKey: ObjectIdentifier(observer))?.sessionObserver
    }
}
